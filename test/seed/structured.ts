import { done, row, type Section } from './row.ts'

const suite = 'test/unit/schema/official-suite.test.ts'
const options = 'test/unit/connect-options.test.ts'

export const structured: Section = {
  title: 'F. Structured output',
  rows: [
    row(
      85,
      'has a tool structured output',
      'tool.hasStructuredOutput',
      'schemas',
      done(['test/unit/features/tools.test.ts', 'has structured output when it has a schema for it: %j']),
    ),
    row(
      86,
      'its schema',
      'tool.outputSchema',
      'schemas',
      done(['test/unit/features/tools.test.ts', 'has structured output when it has a schema for it: %j']),
    ),
    row(
      87,
      'the value',
      'result.structuredContent, result.data',
      'schemas',
      done(
        ['test/unit/features/tools.test.ts', 'has data: %s'],
        ['test/unit/features/tools.test.ts', 'has structuredContent exactly when the server sent it: %j'],
      ),
    ),
    row(88, 'results are checked', 'validate', 'schemas', done([suite, 'passes all required cases of draft 2020-12'])),
    row(
      89,
      'also when tools were not listed',
      'listed behind the first structured result',
      'schemas',
      done(['test/unit/features/tools.test.ts', 'are refused in strict, with the result, also when the tool was never listed']),
    ),
    row(
      90,
      'a missing value is a violation',
      'warned of, or ValidationError',
      'features',
      done(
        ['test/unit/features/tools.test.ts', 'that are missing are refused in strict too when the tool was never listed'],
        ['test/unit/features/tools.test.ts', 'warn once by default and keep the result: %s'],
      ),
    ),
    row(91, 'the usual keywords', 'all of the vocabulary', 'schemas', done([suite, 'passes all required cases of draft 2020-12'])),
    row(92, 'the keywords beyond those', 'all of the vocabulary', 'schemas', done([suite, 'passes all required cases of draft 2020-12'])),
    row(
      93,
      'a notice when a check is partial',
      'a warning that names the part',
      'features',
      done(['test/seed/rows.test.ts', 'warns once of a schema that can be checked in part only, and keeps the result']),
    ),
    row(
      94,
      'a violation is logged',
      "validate: 'warn'",
      'schemas',
      done(['test/unit/features/tools.test.ts', 'warn once by default and keep the result: %s']),
    ),
    row(
      95,
      'or an error',
      "validate: 'strict', ValidationError",
      'schemas',
      done(['test/unit/features/tools.test.ts', 'are refused in strict, with the result']),
    ),
    row(96, 'another value is refused', 'TypeError', 'schemas', done([options, 'name what is wrong and send nothing: %s %j'])),
    row(
      97,
      'results of tasks',
      'checked too',
      'features',
      done(['test/unit/features/tasks.test.ts', 'has its result checked like that of a call']),
    ),
  ],
}
