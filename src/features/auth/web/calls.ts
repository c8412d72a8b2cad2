export { codeOf, client, messageOf, statusOf } from '../../../web/api.ts'
export { applyFieldErrors } from '../../../web/form-errors.ts'
export * as checks from './checks.ts'
