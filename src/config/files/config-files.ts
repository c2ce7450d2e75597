export { agree, isAgreed } from './agree.ts'
export { discover } from './discover.ts'
export { readConfigFile } from './read-config-file.ts'
export { surroundings } from './surroundings.ts'
