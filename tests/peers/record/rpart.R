# Records rpart: Rscript rpart.R RECORD_FOLDER TABLES OUTPUT. One file per table, one entry per configuration.
arguments <- commandArgs(TRUE)
source(file.path(arguments[1], "table.R"))
suppressMessages(library(rpart))

# One question of rpart. Rows of fit$splits are numbers; levels of a nominal or ordinal column are in fit$csplit.
question <- function(row, var, fit, x) {
  column <- x[[var]]
  count <- unname(row["count"])
  if (!is.factor(column)) {
    side <- if (row["ncat"] < 0) "<" else ">="
    return(list(var = var, kind = "numeric", count = count, left_if = side, cut = unname(row["index"])))
  }
  sides <- fit$csplit[row["index"], seq_along(levels(column))]
  kind <- if (is.ordered(column)) "ordinal" else "nominal"
  pick <- function(code) as.list(levels(column)[sides == code])
  list(var = var, kind = kind, count = count, left = pick(1), right = pick(3), neither = pick(2))
}

goes_left <- function(asked, x) {
  column <- x[[asked$var]]
  if (asked$kind == "numeric") return(if (asked$left_if == "<") column < asked$cut else column >= asked$cut)
  ifelse(is.na(column), NA, column %in% unlist(asked$left))
}

nodes_of <- function(fit, table, weights) {
  frame <- fit$frame
  ids <- as.integer(rownames(frame))
  members <- function(id) {
    here <- ids[fit$where]
    while (any(here > id)) here <- ifelse(here > id, here %/% 2, here)
    here == id
  }
  kept <- if (is.null(fit$na.action)) seq_along(table$y) else seq_along(table$y)[-fit$na.action]
  start <- 1
  found <- list()
  for (i in seq_len(nrow(frame))) {
    line <- frame[i, ]
    leaf <- line$var == "<leaf>"
    node <- list(id = ids[i], leaf = leaf, n = line$n, wt = line$wt, dev = line$dev, complexity = line$complexity)
    if (is.factor(table$y)) {
      k <- nlevels(table$y)
      node$class <- levels(table$y)[line$yval2[1]]
      node$counts <- line$yval2[1 + seq_len(k)]
      node$prob <- line$yval2[1 + k + seq_len(k)]
      node$nodeprob <- line$yval2[2 + 2 * k]
    } else {
      node$mean <- line$yval
    }
    if (!leaf) {
      splits <- fit$splits
      one <- function(at) question(splits[at, ], rownames(splits)[at], fit, table$x)
      node$primary <- c(one(start), improve = unname(splits[start, "improve"]))
      if (anyNA(table$x)) {
        inside <- kept[members(ids[i])]
        left <- goes_left(node$primary, table$x[inside, , drop = FALSE])
        node$known_weight_left_right <- c(sum(weights[inside][which(left)]), sum(weights[inside][which(!left)]))
      }
      others <- start + seq_len(line$ncompete)
      node$competitors <- lapply(others, function(at) c(one(at), improve = unname(splits[at, "improve"])))
      instead <- start + line$ncompete + seq_len(line$nsurrogate)
      node$surrogates <- lapply(instead, function(at) {
        c(one(at), agree = unname(splits[at, "improve"]), adj = unname(splits[at, "adj"]))
      })
      start <- start + 1 + line$ncompete + line$nsurrogate
    }
    found[[i]] <- node
  }
  found
}

recorded <- function(table, method, control = list(), parms = NULL, weights = FALSE, cost = NULL, mask = FALSE) {
  x <- table$x
  # rpart tries all sets of levels when there are more than two classes.
  too_many <- is.factor(table$y) && nlevels(table$y) > 2
  dropped <- names(x)[vapply(x, function(c) too_many && is.factor(c) && !is.ordered(c) && nlevels(c) > 16, NA)]
  x <- x[setdiff(names(x), dropped)]
  table$x <- x
  w <- if (weights) 1 + seq_along(table$y) %% 3 else rep(1, length(table$y))
  frame <- cbind(x, .y = table$y)
  settings <- do.call(rpart.control, modifyList(list(xval = 0), control))
  call <- list(formula = .y ~ ., data = frame, method = method, control = settings, weights = w)
  if (!is.null(parms)) call$parms <- parms
  if (!is.null(cost)) call$cost <- cost[seq_along(x)]
  fit <- do.call(rpart, call)
  ids <- as.integer(rownames(fit$frame))
  where <- rep(NA_integer_, nrow(frame))
  out <- if (is.null(fit$na.action)) integer() else as.integer(fit$na.action)
  where[setdiff(seq_len(nrow(frame)), out)] <- ids[fit$where]
  said <- if (is.null(parms)) NULL else parms
  if (!is.null(parms$loss)) said$loss <- lapply(seq_len(nrow(parms$loss)), function(i) parms$loss[i, ])
  cp <- fit$cptable
  colnames(cp) <- sub(" ", "_", colnames(cp))
  told <- modifyList(list(xval = 0), control)
  if (length(told$xval) > 1) told$xval <- "explicit folds: row i (1-based) is in fold ((i-1) mod 10)+1"
  answer <- list(features = as.list(names(x)), dropped_features = as.list(dropped), method = method, parms = said,
                 control = told,
                 weights = if (weights) "row i (1-based) has weight 1 + (i mod 3)" else NULL,
                 cost = if (is.null(cost)) NULL else cost[seq_along(x)],
                 classes = if (is.factor(table$y)) as.list(levels(table$y)) else NULL,
                 nodes = nodes_of(fit, table, w), cptable = as.data.frame(cp), where = where,
                 rows_left_out = as.list(out), prune = prunings(fit))
  if (mask) {
    moved <- model.frame(delete.response(fit$terms), masked(x), na.action = na.pass, xlev = attr(fit, "xlevels"))
    at <- rpart:::pred.rpart(fit, rpart:::rpart.matrix(moved))
    answer$masked <- list(node = ids[at])
  }
  answer
}

# The leaves of prune(fit, cp) at the geometric means of successive complexities.
prunings <- function(fit) {
  cps <- fit$cptable[, "CP"]
  steps <- list()
  for (i in seq_len(max(length(cps) - 1, 0))) {
    if (cps[i] <= 0 || cps[i + 1] <= 0) next
    cp <- sqrt(cps[i] * cps[i + 1])
    frame <- prune(fit, cp)$frame
    steps[[length(steps) + 1]] <- list(cp = cp, leaves = as.list(as.integer(rownames(frame)[frame$var == "<leaf>"])))
  }
  steps
}

configurations <- function(table) {
  n <- length(table$y)
  free <- list(cp = 0, minsplit = 2, minbucket = 1)
  all <- list(cp = -1, minsplit = 2, minbucket = 1, maxcompete = 0, maxsurrogate = 0)
  folds <- list(cp = 0.001, xval = (seq_len(n) - 1) %% 10 + 1)
  three <- list(cp = 0, maxdepth = 3, minsplit = 2, minbucket = 1)
  cost <- 1 + (seq_along(table$x) - 1) / length(table$x)
  holes <- anyNA(table$x)
  general <- function(method, parms, prefix) {
    run <- function(...) recorded(table, method, parms = parms, ...)
    found <- list(default = run(mask = holes), cp0 = run(list(cp = 0), mask = holes), depth3 = run(three),
                  full = run(free), keepall = run(all), weights = run(list(cp = 0.005), weights = TRUE),
                  cost = run(cost = cost), xval = run(folds))
    if (holes) {
      found$usesurr0 <- run(list(usesurrogate = 0), mask = TRUE)
      found$usesurr1 <- run(list(usesurrogate = 1), mask = TRUE)
      found$surrstyle1 <- run(list(surrogatestyle = 1))
    }
    setNames(found, paste0(prefix, "_", names(found)))
  }
  if (!is.factor(table$y)) return(general("anova", NULL, "anova"))
  k <- nlevels(table$y)
  prior <- rep(1 / k, k)
  loss <- matrix(1, k, k)
  loss[lower.tri(loss)] <- 4
  diag(loss) <- 0
  more <- function(...) recorded(table, "class", ...)
  c(general("class", list(split = "gini"), "gini"),
    list(gini_prior = more(parms = list(split = "gini", prior = prior)),
         gini_loss = more(parms = list(split = "gini", loss = loss)),
         gini_prior_loss = more(list(cp = 0.001), list(split = "gini", prior = prior, loss = loss)),
         info_default = more(parms = list(split = "information")),
         info_full = more(free, list(split = "information")),
         info_prior = more(parms = list(split = "information", prior = prior))))
}

for (name in table_names(arguments[2])) {
  table <- read_table(arguments[2], name)
  answer <- list(oracle = "rpart", version = as.character(packageVersion("rpart")), R = as.character(getRversion()),
                 dataset = name, target = table$target, configs = configurations(table))
  write_json_file(answer, file.path(arguments[3], "rpart"), name)
}
