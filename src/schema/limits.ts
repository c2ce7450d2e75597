/** Bounds on the schemas of a server and on the work of checking a value against one. All are positive integers. */
export interface SchemaLimits {
  /** Nesting of schemas and data that we walk. Default 512. */
  maxDepth: number
  /** Steps of one compile or one check. Default 1,000,000. */
  maxSchemaSteps: number
  /** Subschemas of one schema. Default 10,000. */
  maxSubschemas: number
}

export const SCHEMA_LIMITS: SchemaLimits = Object.freeze({ maxDepth: 512, maxSchemaSteps: 1_000_000, maxSubschemas: 10_000 })
