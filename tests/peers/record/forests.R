# Records ranger and randomForest: Rscript forests.R RECORD_FOLDER TABLES OUTPUT. Tables without missing values only.
arguments <- commandArgs(TRUE)
source(file.path(arguments[1], "table.R"))
suppressMessages({library(ranger); library(randomForest)})
SEEDS <- 1:20

spread <- function(values) list(n = length(values), min = min(values), max = max(values), mean = mean(values), sd = sd(values))

importance_of <- function(table, kind) {
  found <- sapply(1:10, function(s) {
    ranger(x = table$x, y = table$y, num.trees = 500, seed = s, num.threads = 1, importance = kind)$variable.importance
  })
  list(call = sprintf("importance='%s', 500 trees, 10 seeds", kind), mean = as.list(rowMeans(found)),
       sd = as.list(apply(found, 1, sd)))
}

random_forest_error <- function(table, s) {
  set.seed(s)
  fit <- randomForest(table$x, table$y, ntree = 500)
  if (is.factor(table$y)) unname(fit$err.rate[500, "OOB"]) else fit$mse[500]
}

for (name in table_names(arguments[2])) {
  table <- read_table(arguments[2], name)
  if (anyNA(table$x) || length(table$y) < 20 || length(table$y) > 1000) next
  oob <- function(...) sapply(SEEDS, function(s) {
    ranger(x = table$x, y = table$y, num.trees = 500, seed = s, num.threads = 1, ...)$prediction.error
  })
  configs <- list(ranger_default = spread(oob()), ranger_mtry_all = spread(oob(mtry = ncol(table$x))),
                  ranger_impurity_importance = importance_of(table, "impurity"),
                  ranger_permutation_importance = importance_of(table, "permutation"))
  # randomForest takes no nominal column of more than 53 levels; ordered columns are numbers to it.
  configs$randomForest_default <- spread(sapply(SEEDS, function(s) random_forest_error(table, s)))
  answer <- list(oracle = "ranger / randomForest", dataset = name, target = table$target, seeds = "1..20",
                 versions = list(ranger = as.character(packageVersion("ranger")),
                                 randomForest = as.character(packageVersion("randomForest"))), configs = configs)
  write_json_file(answer, file.path(arguments[3], "forests"), name)
}
