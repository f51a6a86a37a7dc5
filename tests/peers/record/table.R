# Reads a recorded table (CSV and schema) as a data frame, and writes recorded output as JSON.
suppressMessages(library(jsonlite))

read_table <- function(folder, name) {
  schema <- fromJSON(file.path(folder, paste0(name, ".schema.json")), simplifyVector = FALSE)
  cells <- read.csv(file.path(folder, paste0(name, ".csv")), colClasses = "character", check.names = FALSE,
                    na.strings = "", encoding = "UTF-8")
  for (spec in schema$columns) {
    column <- cells[[spec$name]]
    if (spec$kind == "numeric") {
      cells[[spec$name]] <- as.numeric(column)
    } else {
      levels <- as.character(unlist(spec$levels))
      cells[[spec$name]] <- factor(column, levels = levels, ordered = spec$kind == "ordinal")
    }
  }
  features <- setdiff(vapply(schema$columns, function(spec) spec$name, ""), schema$target)
  y <- cells[[schema$target]]
  if (is.factor(y)) y <- factor(y, levels = levels(y)[levels(y) %in% y], ordered = FALSE)
  list(name = name, target = schema$target, features = features, x = cells[features], y = y)
}

# Cell (row i, column j), both from 1, is emptied where (31 i + 17 j) mod 7 = 0.
masked <- function(x) {
  for (j in seq_along(x)) x[[j]][(31 * seq_len(nrow(x)) + 17 * j) %% 7 == 0] <- NA
  x
}

table_names <- function(folder) sub("\\.schema\\.json$", "", list.files(folder, "\\.schema\\.json$"))

write_json_file <- function(value, folder, name) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  text <- toJSON(value, auto_unbox = TRUE, digits = I(15), null = "null", na = "null")
  writeLines(text, file.path(folder, paste0(name, ".json")), useBytes = TRUE)
}
