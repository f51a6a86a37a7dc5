# Records pROC and base R on rates and ROC curves: Rscript roc.R RECORD_FOLDER TABLES OUTPUT.
# Scores are class probabilities of rpart trees on their training rows, and two columns taken as markers.
arguments <- commandArgs(TRUE)
source(file.path(arguments[1], "table.R"))
suppressMessages({library(rpart); library(pROC)})
BINARY <- c("made_mixed", "made_holes", "made_many_levels", "made_rare", "made_grid", "wdbc")
MARKERS <- list(made_mixed = "age", made_grid = "a")
SEVERAL <- c("iris_r", "made_classes", "made_levels", "made_holes_levels")

wilson <- function(hits, n) as.numeric(prop.test(hits, n, correct = FALSE)$conf.int)
exact <- function(hits, n) as.numeric(binom.test(hits, n)$conf.int)

rates <- function(labels, scores, threshold) {
  positive <- scores >= threshold
  tp <- sum(positive & labels == 1); fp <- sum(positive & labels == 0)
  fn <- sum(!positive & labels == 1); tn <- sum(!positive & labels == 0)
  sensitivity <- tp / (tp + fn); specificity <- tn / (tn + fp)
  list(threshold = threshold, tp = tp, tn = tn, fp = fp, fn = fn,
       sensitivity = sensitivity, sensitivity_exact95 = exact(tp, tp + fn), sensitivity_wilson95 = wilson(tp, tp + fn),
       specificity = specificity, specificity_exact95 = exact(tn, tn + fp), specificity_wilson95 = wilson(tn, tn + fp),
       ppv = tp / (tp + fp), ppv_exact95 = exact(tp, tp + fp), npv = tn / (tn + fn), npv_exact95 = exact(tn, tn + fn),
       lr_plus = sensitivity / (1 - specificity), lr_minus = (1 - sensitivity) / specificity,
       brier = mean((scores - labels)^2), accuracy = (tp + tn) / length(labels),
       mcnemar_p = mcnemar.test(matrix(c(tn, fp, fn, tp), 2))$p.value)
}

measures <- function(labels, scores, model, with_rates) {
  curve <- roc(labels, scores, levels = c(0, 1), direction = "<", quiet = TRUE)
  points <- coords(curve, "all", ret = c("threshold", "sensitivity", "specificity"), transpose = FALSE)
  points$threshold[is.infinite(points$threshold)] <- NA
  best <- coords(curve, "best", best.method = "youden", ret = c("sensitivity", "specificity"), transpose = FALSE)
  found <- list(model = model, auc = as.numeric(auc(curve)), auc_variance_delong = as.numeric(var(curve, method = "delong")),
                auc_ci95_delong = as.numeric(ci.auc(curve, method = "delong"))[c(1, 3)], roc = points, youden_best = best,
                labels = labels, scores = scores)
  if (with_rates) found$at_threshold <- rates(labels, scores, 0.5)
  found
}

probabilities <- function(table) {
  # Rounded to 12 digits, so that equal leaves have equal scores when the file is read again.
  fit <- rpart(.y ~ ., data = cbind(table$x, .y = table$y), method = "class", control = rpart.control(xval = 0))
  round(predict(fit, cbind(table$x, .y = table$y)), 12)
}

found <- list()
for (name in BINARY) {
  table <- read_table(arguments[2], name)
  labels <- as.integer(table$y) - 1L
  said <- "rpart's default tree, training rows, score = probability of the second class"
  found[[name]] <- measures(labels, unname(probabilities(table)[, 2]), said, TRUE)
}
for (name in names(MARKERS)) {
  table <- read_table(arguments[2], name)
  marker <- MARKERS[[name]]
  labels <- as.integer(table$y) - 1L
  found[[paste0(name, "_marker_", marker)]] <- measures(labels, table$x[[marker]], paste("marker", marker), FALSE)
}
found$multiclass <- list()
for (name in SEVERAL) {
  table <- read_table(arguments[2], name)
  shares <- probabilities(table)
  area <- multiclass.roc(table$y, shares, quiet = TRUE)
  found$multiclass[[name]] <- list(hand_till_auc = as.numeric(area$auc), classes = levels(table$y),
                                   labels = as.integer(table$y) - 1L, prob = unname(shares))
}
answer <- list(oracle = "pROC and base R", version = as.character(packageVersion("pROC")),
               R = as.character(getRversion()), measures = found)
write_json_file(answer, file.path(arguments[3], "metrics"), "roc_and_rates")
