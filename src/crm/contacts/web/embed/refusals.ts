import { type InferClientErrors, isDefinedError } from '@orpc/client'
import type { Client } from '../../../../ui/client/api.ts'
import { type Clock, formatAgo } from '../../../../ui/format.ts'
import { listLabels } from '../../rules.ts'
import { byId, type Directory } from './directory.ts'

type Errors = InferClientErrors<Client>['contacts']

/** What an update was refused with because someone else changed the same fields: the contact as it is now, and who changed what. */
export function conflictOf(thrown: unknown) {
  const error = thrown as Errors['update']
  return isDefinedError(error) && error.code === 'CONFLICT' ? error.data : null
}

export type Conflict = NonNullable<ReturnType<typeof conflictOf>>

/** Who changed what in the meantime, and when, in a sentence. */
export function explainConflict({ changes }: Pick<Conflict, 'changes'>, { people }: Pick<Directory, 'people'>, clock: Clock): string {
  const last = changes.at(-1)
  if (!last) return 'Someone else changed it in the meantime. Nothing was overwritten.'
  const who = byId(people, last.by)?.fullName ?? 'Someone else'
  const what = listLabels(changes.map(({ field }) => field))
  return `${who} changed ${what} ${formatAgo(last.at, clock).toLowerCase()}. Nothing was overwritten.`
}

/** The patient who has the email address that a new one was refused for. */
export function ownerOfEmail(thrown: unknown) {
  const error = thrown as Errors['create']
  return isDefinedError(error) && error.code === 'EMAIL_TAKEN' ? error.data.existing : null
}
