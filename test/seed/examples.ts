import { later, type Section } from './row.ts'

export const examples: Section = {
  title: 'R. Examples and their runner',
  rows: [
    ...later(
      'examples',
      [212, 'one command runs every example', 'npm run examples'],
      [213, 'it starts and stops the servers', 'built in'],
      [214, 'a summary with reasons', 'PASS, FAIL, SKIP and why'],
      [215, 'examples that need no other language', 'on the built-in servers'],
      [216, 'Python servers: echo, streaming, questions', 'in Python, as there'],
      [217, 'servers from npm by a definition file', 'an example'],
      [218, 'an example of tasks', 'an example that runs'],
      [219, 'signing in by hand only on request', 'RUN_OAUTH=1'],
      [220, 'a check beforehand warns and never aborts', 'a check of what is installed'],
      [221, 'models may be left out', 'RUN_AI=0'],
      [222, 'servers from npm may be left out', 'RUN_NPX=0'],
      [223, 'which Python', 'PYTHON'],
      [224, 'a time limit per example', 'TIMEOUT'],
      [225, 'where the logs go', 'LOG_DIR'],
      [226, 'secrets in a file that is not tracked', 'examples/secrets.env'],
      [227, 'a hosted server by token', 'ZAPIER_MCP_TOKEN, ZAPIER_MCP_URL'],
      [228, 'which server the sign-in example uses', 'MCP_SERVER_URL'],
      [229, 'keys of model vendors', 'their usual variables'],
      [230, 'the verdict on an example', 'examples check themselves; the exit code counts'],
      [231, 'servers from npm see no secrets and are pinned', 'an environment without credentials'],
      [232, 'exit 0 only without failures', 'skips are free'],
    ),
    ...later('docs', [233, 'guides by topic', 'guides per feature, whose code runs']),
  ],
}
