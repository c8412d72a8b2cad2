export { frontEndToken } from './secrets.ts'
