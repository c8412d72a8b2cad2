import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { Client } from '../../../../ui/client/api.ts'
import { type Clock, formatAgo } from '../../../../ui/format.ts'
import { listLabels } from '../../rules.ts'
import { byId, type Directory } from './directory.ts'

type Errors = InferClientErrors<Client>['contacts']

/** The data of a conflict refusal (the current contact and the conflicting changes), or null for other errors. */
export function conflictOf(thrown: unknown) {
  const error = thrown as Errors['update']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data : null
}

export type Conflict = NonNullable<ReturnType<typeof conflictOf>>

/** A sentence with who changed what and when. */
export function explainConflict({ changes }: Pick<Conflict, 'changes'>, { people }: Pick<Directory, 'people'>, clock: Clock): string {
  const last = changes.at(-1)
  if (!last) return 'Someone else changed it. Nothing was overwritten.'
  const who = byId(people, last.by)?.fullName ?? 'Someone else'
  const what = listLabels(changes.map(({ field }) => field))
  return `${who} changed ${what} ${formatAgo(last.at, clock).toLowerCase()}. Nothing was overwritten.`
}

/** The patient who already has the email of a refused new patient, or null for other errors. */
export function ownerOfEmail(thrown: unknown) {
  const error = thrown as Errors['create']
  return isDefinedError(error) && error.code === 'EMAIL_TAKEN' ? error.data.existing : null
}
