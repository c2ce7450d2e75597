export { tracing } from './tracing.ts'
