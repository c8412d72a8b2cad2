import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { Client } from '../../../web/api.ts'

type Errors = InferClientErrors<Client>['contacts']

/** What an update was refused with because somebody else changed the same fields: the contact as it is now, and who changed what. */
export function conflictOf(thrown: unknown) {
  const error = thrown as Errors['update']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data : null
}

export type Conflict = NonNullable<ReturnType<typeof conflictOf>>

/** The patient who has the e-mail address that a new one was refused for. */
export function ownerOfEmail(thrown: unknown) {
  const error = thrown as Errors['create']
  return isDefinedError(error) && error.code === 'EMAIL_TAKEN' ? error.data.existing : null
}
