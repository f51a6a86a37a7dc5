# Times ranger(): reads commands and data from standard input, writes replies to standard output.
#
#   (at the start)                                                                          -> "started"
#   read ROWS COLUMNS HELD_OUT   then X, y, Xt as doubles, X and Xt column by column        -> "ready"
#   fit                          train; only ranger() is timed                              -> seconds
#   predict                      predictions for the held-out rows                          -> one double per row
#   nodes                        number of nodes of all trees                               -> integer
#
# Arguments: TREES DEPTH (0: no limit) THREADS IS_CLASS (1 or 0) SAMPLED_COLUMNS EXTRA (1 or 0)
suppressPackageStartupMessages(library(ranger))
arguments <- as.integer(commandArgs(trailingOnly = TRUE))
names(arguments) <- c("trees", "depth", "threads", "is_class", "columns", "extra")
source <- file("stdin", "rb")
replies <- file("/dev/stdout", "wb", raw = TRUE)
settings <- list(
  num.trees = arguments[["trees"]], max.depth = arguments[["depth"]], num.threads = arguments[["threads"]], mtry = arguments[["columns"]],
  classification = arguments[["is_class"]] == 1, min.node.size = 1, oob.error = FALSE, verbose = FALSE, seed = 1
)
# by default ranger's extra trees use a bootstrap sample; these settings use all rows, once each
if (arguments[["extra"]]) {
  settings <- c(settings, splitrule = "extratrees", num.random.splits = 1, replace = FALSE, sample.fraction = 1)
}

columns <- function(rows, width) {
  matrix(readBin(source, "double", rows * width), rows, dimnames = list(NULL, paste0("x", seq_len(width))))
}
reply <- function(text) {
  writeLines(text, replies)
  flush(replies)
}

reply("started")
while (length(line <- readLines(source, 1))) {
  command <- strsplit(line, " ")[[1]]
  if (command[1] == "read") {
    size <- as.integer(command[-1])
    model <- NULL
    X <- columns(size[1], size[2])
    y <- readBin(source, "double", size[1])
    held_out <- columns(size[3], size[2])
    invisible(gc())
    reply("ready")
  } else if (command[1] == "fit") {
    took <- system.time(model <- do.call(ranger, c(list(x = X, y = y), settings)), gcFirst = FALSE)
    reply(format(took[["elapsed"]]))
  } else if (command[1] == "predict") {
    writeBin(as.double(predict(model, held_out, num.threads = arguments[["threads"]])$predictions), replies)
    flush(replies)
  } else {
    reply(format(sum(lengths(model$forest$split.varIDs)), scientific = FALSE))
  }
}
