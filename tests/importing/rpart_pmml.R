# Records trees of rpart as PMML, with rpart's own predictions: Rscript rpart_pmml.R FOLDER
#
# The document has the form that R's package pmml writes for rpart (surrogates in a CompoundPredicate, the larger child as
# defaultChild, counts in ScoreDistribution), but cuts with all their digits: the package rounds them to seven. The tree of
# numbers ends rows without a surrogate at the node: rpart itself chooses the side that more rows with a known value took,
# which is not always the larger child.
folder <- commandArgs(TRUE)[1]
suppressMessages({library(rpart); library(XML)})

digits <- function(x) trimws(formatC(unname(x), digits = 17, format = "g"))

# The predicate of one row of fit$splits for the left or the right child.
predicate <- function(fit, row, left) {
  name <- rownames(fit$splits)[row]
  split <- fit$splits[row, ]
  if (abs(split["ncat"]) < 2) {
    below <- (split["ncat"] < 0) == left
    operator <- if (below) "lessThan" else "greaterOrEqual"
    return(xmlNode("SimplePredicate", attrs = c(field = name, operator = operator, value = digits(split["index"]))))
  }
  levels <- attr(fit, "xlevels")[[name]]
  chosen <- levels[fit$csplit[split["index"], seq_along(levels)] == if (left) 1 else 3]
  array <- xmlNode("Array", paste0("\"", chosen, "\"", collapse = " "), attrs = c(n = length(chosen), type = "string"))
  xmlNode("SimpleSetPredicate", array, attrs = c(field = name, booleanOperator = "isIn"))
}

node <- function(fit, id, test) {
  frame <- fit$frame
  ids <- as.integer(rownames(frame))
  at <- match(id, ids)
  is_class <- fit$method == "class"
  score <- if (is_class) attr(fit, "ylevels")[frame$yval[at]] else digits(frame$yval[at])
  given <- c(id = id, score = score, recordCount = frame$n[at])
  is_leaf <- frame$var[at] == "<leaf>"
  children <- 2 * id + 0:1
  if (!is_leaf) {
    n <- frame$n[match(children, ids)]
    given <- c(given, defaultChild = children[if (n[1] >= n[2]) 1 else 2])
  }
  found <- xmlNode("Node", test, attrs = given)
  if (is_class) for (k in seq_along(attr(fit, "ylevels"))) {
    count <- frame$yval2[at, 1 + k]
    found <- append.XMLNode(found, xmlNode("ScoreDistribution", attrs = c(
      value = attr(fit, "ylevels")[k], recordCount = count, confidence = digits(count / frame$n[at]))))
  }
  if (is_leaf) return(found)
  sizes <- ifelse(frame$var == "<leaf>", 0, 1 + frame$ncompete + frame$nsurrogate)
  first <- 1 + sum(sizes[seq_len(at - 1)])
  rows <- c(first, first + frame$ncompete[at] + seq_len(frame$nsurrogate[at]))
  for (side in 1:2) {
    tests <- lapply(rows, function(row) predicate(fit, row, side == 1))
    test <- if (length(tests) == 1) tests[[1]] else
      do.call(xmlNode, c(list("CompoundPredicate", attrs = c(booleanOperator = "surrogate")), tests))
    found <- append.XMLNode(found, node(fit, children[side], test))
  }
  found
}

document <- function(fit, data) {
  target <- as.character(attr(fit$terms, "variables"))[2]
  names <- c(target, attr(fit$terms, "term.labels"))
  fields <- lapply(names, function(name) {
    column <- data[[name]]
    if (!is.factor(column)) return(xmlNode("DataField", attrs = c(name = name, optype = "continuous", dataType = "double")))
    do.call(xmlNode, c(list("DataField", attrs = c(name = name, optype = "categorical", dataType = "string")),
      lapply(levels(column), function(level) xmlNode("Value", attrs = c(value = level)))))
  })
  usage <- lapply(names, function(name)
    xmlNode("MiningField", attrs = c(name = name, usageType = if (name == target) "predicted" else "active")))
  model <- xmlNode("TreeModel", do.call(xmlNode, c(list("MiningSchema"), usage)), node(fit, 1, xmlNode("True")),
    attrs = c(modelName = "RPart_Model", functionName = if (fit$method == "class") "classification" else "regression",
      algorithmName = "rpart", splitCharacteristic = "binarySplit",
      missingValueStrategy = if (fit$control$usesurrogate == 2) "defaultChild" else "lastPrediction",
      noTrueChildStrategy = "returnLastPrediction"))
  xmlNode("PMML", xmlNode("Header"), do.call(xmlNode, c(list("DataDictionary"), fields)), model,
    attrs = c(version = "4.4"), namespaceDefinitions = c("http://www.dmg.org/PMML-4_4"))
}

record <- function(name, fit, data, rows) {
  saveXML(document(fit, data), file.path(folder, paste0("rpart_", name, ".pmml")))
  predicted <- predict(fit, rows)
  shown <- data.frame(lapply(rows, function(column) if (is.factor(column)) as.character(column) else digits(column)))
  answers <- data.frame(predicted)
  names(answers) <- paste0("predicted_", names(answers))
  answers[] <- lapply(answers, digits)
  shown[is.na(rows)] <- ""
  write.csv(cbind(shown, answers), file.path(folder, paste0("rpart_", name, ".csv")), row.names = FALSE)
}

set.seed(1)
holes <- function(data, fraction) {
  for (name in names(data)) data[[name]][runif(nrow(data)) < fraction] <- NA
  data
}
n <- 160
rows <- data.frame(age = rnorm(n), dose = rexp(n), size = rnorm(n),
  city = factor(sample(c("Bern", "Rome", "Oslo", "Nice"), n, TRUE)))
rows$size <- rows$age + 0.3 * rows$size  # a surrogate
signal <- rows$age + (rows$city %in% c("Rome", "Nice")) * 1.5 - rows$dose + 0.2 * rnorm(n)
given <- holes(rows, 0.1)
data <- cbind(y = factor(ifelse(signal > 0, "yes", "no")), given)
fit <- rpart(y ~ age + dose + size + city, data, minsplit = 8, cp = 0.001)
record("classes", fit, data, holes(rows, 0.25))
data$y <- signal
fit <- rpart(y ~ age + dose + size + city, data, minsplit = 8, cp = 0.001, usesurrogate = 1)
record("numbers", fit, data, holes(rows, 0.25))
