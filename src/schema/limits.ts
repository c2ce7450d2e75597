/** Bounds on the schemas of a server and on the work of checking a value against one. All are positive integers. */
export interface SchemaLimits {
  /** Nesting of schemas and data that we walk. Default 512. */
  maxDepth: number
  /** Steps of one compile or one check. Default 1,000,000. */
  maxSchemaSteps: number
  /** Subschemas of one schema. Default 10,000. */
  maxSubschemas: number
  /** Characters of one regular expression. Default 4,096. A longer one ends the check that reaches it. */
  maxPatternChars: number
  /** Milliseconds of one check in patterns that no linear-time engine can run. Default 100. */
  maxPatternMs: number
}

export const SCHEMA_LIMITS: SchemaLimits = Object.freeze({
  maxDepth: 512,
  maxSchemaSteps: 1_000_000,
  maxSubschemas: 10_000,
  maxPatternChars: 4_096,
  maxPatternMs: 100,
})
