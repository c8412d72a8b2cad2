export { codeOf, client, messageOf, statusOf } from '../../../ui/client/api.ts'
export { applyFieldErrors } from '../../../ui/client/form-errors.ts'
export * as checks from './checks.ts'
