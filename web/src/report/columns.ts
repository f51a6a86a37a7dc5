// The columns that the questions on the path to a node test, in the order of the path.
import { nodes, pathTo, report } from "./values";

export function columnsOfQuestion(row: number): number[] {
  const question = report.questions[row];
  if (question.column >= 0) return [question.column];
  if (question.encoding !== 4) return question.whole;
  return question.whole.flatMap((part, i) => (i % 2 ? columnsOfQuestion(part) : []));
}

export function columnsOfPath(node: number, isEnd: boolean): number[] {
  const path = isEnd ? pathTo(node).slice(0, -1) : pathTo(node);
  return [...new Set(path.flatMap((at) => (nodes.question[at] >= 0 ? columnsOfQuestion(nodes.question[at]) : [])))];
}
