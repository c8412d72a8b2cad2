import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { Refusal } from '../../calendar/web/embed/refusal.ts'
import { type Client, messageOf, statusOf } from '../../../ui/client/api.ts'
import type { SurgeryData } from './surgery-data.ts'

type Errors = InferClientErrors<Client>['surgeries']

/** Why something was not done with a surgery, or with its checklist. */
export function refusalOf(thrown: unknown): Refusal<SurgeryData> {
  const error = thrown as Errors[keyof Errors]
  if (isDefinedError(error)) {
    switch (error.code) {
      case 'OVERLAP':
        return { kind: 'overlap', overlap: error.data }
      case 'CONFLICT':
        return { kind: 'conflict', current: error.data.current }
      case 'INVALID_REFERENCE':
        return { kind: 'fields', fields: error.data.fields }
      case 'KEY_REUSED':
        return { kind: 'message', message: 'It was booked already, as you sent it first. Close this, and change that surgery.' }
      case 'AUTOMATIC':
        return { kind: 'message', message: `${error.data.reason}.` }
      default:
        return { kind: 'message', message: `${error.message}.` }
    }
  }
  if (statusOf(thrown) === 0) return { kind: 'message', message: 'The connection was lost. It is safe to try again.' }
  return { kind: 'message', message: messageOf(thrown) }
}
