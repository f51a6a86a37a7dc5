# Records partykit's ctree: Rscript ctree.R RECORD_FOLDER TABLES OUTPUT.
arguments <- commandArgs(TRUE)
source(file.path(arguments[1], "table.R"))
suppressMessages(library(partykit))

node_list <- function(fit, x) {
  lapply(nodeids(fit), function(id) {
    node <- node_party(fit[[id]])
    info <- info_node(node)
    found <- list(id = id, leaf = is.terminal(node), tests = list())
    tests <- info$criterion
    if (!is.null(tests)) {
      found$tests <- lapply(colnames(tests), function(variable) {
        list(variable = variable, statistic = unname(tests["statistic", variable]),
             p.value = unname(tests["p.value", variable]))
      })
    }
    if (!found$leaf) {
      split <- split_node(node)
      found$variable <- names(fit$data)[split$varid]
      surrogates <- surrogates_node(node)
      if (length(surrogates) > 0) {
        found$surrogates <- lapply(surrogates, function(each) names(fit$data)[each$varid])
      }
      below <- kids_node(fit_node(fit, id))
      found$children <- vapply(below, id_node, 1L)
    }
    found
  })
}

# The node of the whole tree with the given number (fit[[id]] numbers its nodes again from 1).
fit_node <- function(fit, id) {
  search <- function(node) {
    if (id_node(node) == id) return(node)
    for (kid in kids_node(node)) {
      found <- search(kid)
      if (!is.null(found)) return(found)
    }
    NULL
  }
  search(node_party(fit))
}

controls <- function(holes) {
  more <- if (holes) list(majority = TRUE) else list()
  # minprob: by default a child must hold one row of a hundred of its node, whatever minbucket is.
  list(default = more, univariate = c(list(testtype = "Univariate"), more),
       mincrit90_b1 = c(list(mincriterion = 0.9, minsplit = 2, minbucket = 1, minprob = 0), more),
       depth2 = c(list(maxdepth = 2), more),
       maximum = c(list(teststat = "maximum", splitstat = "maximum"), more),
       surrogates = if (holes) c(list(maxsurrogate = 3), more))
}

for (name in table_names(arguments[2])) {
  table <- read_table(arguments[2], name)
  x <- table$x
  # Constant columns and more than 30 levels are excluded: partykit raises an error for them.
  bad <- vapply(x, function(c) {
    length(unique(na.omit(c))) < 2 || (is.factor(c) && nlevels(c) > 30)
  }, NA)
  x <- x[!bad]
  frame <- cbind(x, .y = table$y)
  # The p-values of the maximum statistic come from random points.
  set.seed(1)
  configs <- lapply(Filter(Negate(is.null), controls(anyNA(x))), function(control) {
    fit <- ctree(.y ~ ., data = frame, control = do.call(ctree_control, control))
    list(control = control, nodes = node_list(fit, x), where = as.list(unname(predict(fit, type = "node"))))
  })
  answer <- list(oracle = "partykit::ctree", version = as.character(packageVersion("partykit")),
                 libcoin = as.character(packageVersion("libcoin")), dataset = name, target = table$target,
                 features = as.list(names(x)), configs = configs)
  write_json_file(answer, file.path(arguments[3], "ctree"), name)
}
