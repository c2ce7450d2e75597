import { done, open, row, type Section } from './row.ts'

const suite = 'test/unit/schema/official-suite.test.ts'
const options = 'test/unit/connect-options.test.ts'

export const structured: Section = {
  title: 'F. Structured output',
  rows: [
    row(85, 'has a tool structured output', 'tool.hasStructuredOutput', 'schemas', open('foundation')),
    row(86, 'its schema', 'tool.outputSchema', 'schemas', open('foundation')),
    row(87, 'the value', 'result.structuredContent, result.data', 'schemas', open('foundation')),
    row(88, 'results are checked', 'validate', 'schemas', done([suite, 'passes all required cases of draft 2020-12'])),
    row(89, 'also when tools were not listed', 'listed behind the first structured result', 'schemas', open('foundation')),
    row(90, 'a missing value is a violation', 'warned of, or ValidationError', 'features', open('foundation')),
    row(91, 'the usual keywords', 'all of the vocabulary', 'schemas', done([suite, 'passes all required cases of draft 2020-12'])),
    row(92, 'the keywords beyond those', 'all of the vocabulary', 'schemas', done([suite, 'passes all required cases of draft 2020-12'])),
    row(93, 'a notice when a check is partial', 'a warning that names the part', 'features', open('foundation')),
    row(94, 'a violation is logged', "validate: 'warn'", 'schemas', open('foundation')),
    row(95, 'or an error', "validate: 'strict', ValidationError", 'schemas', open('foundation')),
    row(96, 'another value is refused', 'TypeError', 'schemas', done([options, 'name what is wrong and send nothing: %s %j'])),
    row(97, 'results of tasks', 'checked too', 'features', open('features')),
  ],
}
