import { done, later, row, type Section } from './row.ts'

export const tasks: Section = {
  title: 'M. Tasks',
  rows: [
    ...later('features', [147, 'only where the server has them', 'UnsupportedError, nothing sent']),
    row(
      148,
      'whether a tool may run as a task',
      'tool.supportsTask',
      'features',
      done(['test/unit/features/tools.test.ts', 'says whether it runs as a task: %j']),
    ),
    row(
      149,
      'required, optional, forbidden',
      'tool.taskSupport',
      'features',
      done(['test/unit/features/tools.test.ts', 'says whether it runs as a task: %j']),
    ),
    ...later(
      'features',
      [150, 'call as a task with a life time', 'callToolAsTask(name, args, { ttlMs })'],
      [151, 'a handle at once', 'Task'],
      [152, 'is it over', 'task.isTerminal'],
      [153, 'does it wait for input, is it active', 'task.isInputRequired, task.status'],
      [154, 'the interval of polling', 'task.pollIntervalMs'],
      [155, 'one poll', 'task.refresh()'],
      [156, 'message, times, life time', 'task.statusMessage, createdAt, lastUpdatedAt, ttlMs'],
      [157, 'the result', 'task.result(), as long as the task lives'],
      [158, 'a task known by its id', 'client.task(id)'],
      [159, 'the list of tasks', "client.listTasks(), client.pages('tasks')"],
      [160, 'cancel a task', 'task.cancel()'],
      [161, 'a status that is pushed', "on('taskStatus'), task.updates()"],
      [162, 'errors of tasks, told apart', 'TaskError with a reason'],
    ),
    row(
      163,
      'an id without its server, among several',
      'a handle knows its server',
      'servers',
      done(['test/behaviour/group-routing.test.ts', 'known by their ids alone need the name of their server where there are several']),
    ),
    ...later('features', [164, 'a tool that must run as a task, called plainly', 'callTool runs it as one']),
    ...later('examples', [165, 'the whole life of a task as an example', 'an example']),
  ],
}
