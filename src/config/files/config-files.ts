export { readConfigFile } from './read-config-file.ts'
export { surroundings } from './surroundings.ts'
