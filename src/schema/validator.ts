import type { ValidationIssue } from '../errors.ts'

/** What one check found. */
export type CheckResult = CheckPassed | CheckFailed

/** The value fits, as far as the schema could be checked. */
export interface CheckPassed {
  ok: true
  /** One sentence for each part of the schema that this value met and nobody could check; absent when all was checked. */
  unchecked?: readonly string[]
}

/** The value does not fit, whatever the unchecked parts would say. */
export interface CheckFailed {
  ok: false
  /** The first failures, at least one. */
  issues: readonly ValidationIssue[]
  unchecked?: readonly string[]
}

/** A schema made ready for many checks. */
export interface CompiledSchema {
  /** Checks a JSON value. Throws `ValidationError` with reason `limit` when the work exceeds a limit. */
  check(value: unknown): CheckResult
  /** Loads what earlier checks lacked; true when another check can now say more. A validator that lacks nothing leaves it out. */
  ready?(): Promise<boolean>
}

/** The port behind which schemas are checked. The built-in engine implements it; Ajv or TypeBox can be injected in its place. */
export interface SchemaValidator {
  /** Throws `ValidationError` with reason `schema` for what is no schema, and `limit` for one that exceeds a limit. */
  compile(schema: unknown): CompiledSchema
}

/** Checks, and checks once more when loading the engine for unusual patterns lets the second check say more than the first. */
export async function checkWhole(compiled: CompiledSchema, value: unknown): Promise<CheckResult> {
  const first = compiled.check(value)
  return first.unchecked !== undefined && (await compiled.ready?.()) === true ? compiled.check(value) : first
}
