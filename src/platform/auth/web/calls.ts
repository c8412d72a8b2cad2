export { client } from '../../../ui/client/api.ts'
export * as checks from './checks.ts'
