# How long does ranger() take?  Reads numbers from its input, grows when asked, answers on its output.
#
#   (at the start)                                                                          -> "started"
#   read ROWS COLUMNS HELD_OUT   then X, y, Xt as doubles, X and Xt column by column        -> "ready"
#   fit                          grow; the clock covers ranger() alone                      -> its seconds
#   predict                      answers for the held-out rows                              -> so many doubles
#   nodes                        of all trees together                                      -> a number
#
# Arguments: TREES DEPTH (0: as deep as it goes) THREADS IS_CLASS (1 or 0) COLUMNS_DRAWN EXTRA (1 or 0)
suppressPackageStartupMessages(library(ranger))
told <- as.integer(commandArgs(trailingOnly = TRUE))
names(told) <- c("trees", "depth", "threads", "is_class", "drawn", "extra")
source <- file("stdin", "rb")
answers <- file("/dev/stdout", "wb", raw = TRUE)
settings <- list(
  num.trees = told[["trees"]], max.depth = told[["depth"]], num.threads = told[["threads"]], mtry = told[["drawn"]],
  classification = told[["is_class"]] == 1, min.node.size = 1, oob.error = FALSE, verbose = FALSE, seed = 1
)
# ranger's extra trees draw their rows unless told to take all, once each
if (told[["extra"]]) {
  settings <- c(settings, splitrule = "extratrees", num.random.splits = 1, replace = FALSE, sample.fraction = 1)
}

columns <- function(rows, width) {
  matrix(readBin(source, "double", rows * width), rows, dimnames = list(NULL, paste0("x", seq_len(width))))
}
say <- function(word) {
  writeLines(word, answers)
  flush(answers)
}

say("started")
while (length(line <- readLines(source, 1))) {
  word <- strsplit(line, " ")[[1]]
  if (word[1] == "read") {
    size <- as.integer(word[-1])
    model <- NULL
    X <- columns(size[1], size[2])
    y <- readBin(source, "double", size[1])
    held_out <- columns(size[3], size[2])
    invisible(gc())
    say("ready")
  } else if (word[1] == "fit") {
    took <- system.time(model <- do.call(ranger, c(list(x = X, y = y), settings)), gcFirst = FALSE)
    say(format(took[["elapsed"]]))
  } else if (word[1] == "predict") {
    writeBin(as.double(predict(model, held_out, num.threads = told[["threads"]])$predictions), answers)
    flush(answers)
  } else {
    say(format(sum(lengths(model$forest$split.varIDs)), scientific = FALSE))
  }
}
