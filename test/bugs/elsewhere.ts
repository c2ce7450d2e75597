import { type Bug, bug, listed, shown } from './bug.ts'

const ENGINE = 'test/unit/schema/engine.test.ts'
const TOOLS = 'test/unit/features/tools.test.ts'
const HOSTS = 'test/unit/config/hosts.test.ts'
const REPORTED = 'test/behaviour/reported-bugs.test.ts'

/** Faults that belong to schemas, results, logins, models, groups and configurations. */
export const elsewhere: readonly Bug[] = [
  bug(96, 'schema', 'a pattern that is legal without the flag u only ends every call', shown([ENGINE, '%s on %j'])),
  bug(99, 'schema', 'validators write code where that is forbidden', shown([REPORTED, 'where no code may be made of text'])),
  bug(102, 'schema', 'the whole result is compared with the schema', shown([TOOLS, 'pass in strict: %s'])),
  bug(103, 'schema', 'an object without properties is no schema', shown([ENGINE, 'of type object with nothing else takes every object'])),
  bug(
    104,
    'schema',
    'optional arguments are demanded, or sent as null',
    shown(['test/unit/features/arguments.test.ts', 'that are there are enough by default'], [TOOLS, 'leaves out what is undefined']),
  ),
  bug(105, 'schema', 'large schemas cost seconds', shown(['test/unit/schema/hostile.test.ts', 'ends with a verdict or a named limit'])),
  bug(125, 'results', 'a result without its structured part is thrown away', shown([TOOLS, 'warn once by default and keep the result'])),
  bug(130, 'results', 'structured content alone looks like nothing', shown([TOOLS, 'has data: %s'])),
  bug(132, 'results', 'results in the form of the first days', shown([REPORTED, 'in the form of the first days'])),
  ...listed(
    'login',
    'oauth',
    [134, 'a last slash makes another resource'],
    [135, 'a bare origin and its root are two resources'],
    [136, 'a last slash in the name of an issuer'],
    [138, 'a refusal at one well-known place ends the search'],
    [139, 'only one of the documents of a server is looked for'],
    [140, 'an address in a challenge leads nowhere'],
    [145, 'two processes refresh one token, and the loser deletes it'],
    [148, 'lifetimes of tokens are misread'],
    [149, 'a login is needed every hour'],
    [151, 'the port of the callback is taken'],
    [152, 'the address of the callback cannot be given'],
    [155, 'the issuer in a callback is not looked at'],
  ),
  ...listed(
    'models',
    'vendor',
    [106, 'keywords that a vendor refuses'],
    [108, 'unions of items that a vendor refuses'],
    [112, 'strict modes want every property'],
    [114, 'unions at the root that a vendor refuses'],
    [115, 'an empty list of tools is refused'],
  ),
  bug(
    119,
    'names',
    'names that are cut are no longer distinct',
    shown(['test/unit/group/qualified-name.test.ts', 'keeps apart what only differs behind the place where it is cut']),
  ),
  bug(
    120,
    'names',
    'names depend on the order of connecting',
    shown(['test/unit/group/qualified-name.test.ts', 'are one for each name, and the same in whatever order the names come']),
  ),
  bug(
    121,
    'names',
    'combined names hold characters that are refused',
    shown(
      ['test/unit/group/qualified-name.test.ts', 'is always fit for every vendor of models'],
      ['test/behaviour/group-routing.test.ts', 'are fit for every vendor, also of one server alone and of names that are not'],
    ),
  ),
  ...listed(
    'models',
    'results',
    [124, 'structured content replaces the text of an error'],
    [128, 'any blob is taken for an image'],
    [129, 'blobs of text are lost'],
  ),
  bug(
    167,
    'config',
    'variables reach the server as they are written',
    shown(['test/unit/config/template.test.ts', '%j is filled in as %j'], [HOSTS, 'have the values that their file says']),
  ),
  bug(
    170,
    'config',
    'one comment costs the whole file',
    shown(['test/unit/config/files.test.ts', 'may be %s'], [HOSTS, 'are found in its file']),
  ),
  bug(
    172,
    'config',
    'writing a file back loses its comments',
    shown(['test/unit/config/edit-servers.test.ts', 'to JSON, in its own indentation, and nothing else changes']),
  ),
  bug(
    174,
    'config',
    'dialects of configurations choose the wrong transport',
    shown(
      ['test/behaviour/servers-of-a-file.test.ts', 'of every kind are reached as their type says'],
      ['test/unit/config/discover.test.ts', "the project's wins over the user's, and the other says by what it is shadowed"],
    ),
  ),
  bug(
    181,
    'multi',
    'one dead server costs the tools of all',
    shown(['test/behaviour/group.test.ts', 'costs the others nothing, and is a state of its own']),
  ),
  bug(
    183,
    'multi',
    'a server that failed counts as one without tools',
    shown(
      ['test/behaviour/group.test.ts', 'costs the others nothing, and is a state of its own'],
      ['test/behaviour/group.test.ts', 'rejects with its own error when it is the only one'],
    ),
  ),
]
