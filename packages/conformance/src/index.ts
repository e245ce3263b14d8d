// The public list of @pluggableharness/conformance.
export type { Check, Outcome } from "./check.ts";
export { allChecks } from "./checks/all.ts";
export { emptyRecipe, parseRecipe, type Recipe, type RecipeCall, type RecipeStep } from "./recipe.ts";
export { jsonReport, junitReport, type Summary, summaryOf, summaryText, textOf } from "./reports.ts";
export { CannotTestError, type CheckResult, type Report, type RunOptions, runChecks } from "./run-checks.ts";
