import { desc, eq } from 'drizzle-orm'
import { asPatient } from '../../kernel/as-patient.ts'
import type { Scope, VerifiedContactId } from '../../kernel/scope.ts'
import { ownPhotos } from './table.ts'

/*
 * The photos that were released to a patient whom a code has proved. Reads run as the patient, so that the database itself shows no others.
 */

type OwnScope = Scope & { patient: VerifiedContactId }

const readOwn = ({ db, env, patient }: OwnScope, id?: string) =>
  db.transaction((tx) =>
    asPatient(tx, env, patient, (own) =>
      own
        .select()
        .from(ownPhotos)
        .where(id === undefined ? undefined : eq(ownPhotos.id, id))
        .orderBy(desc(ownPhotos.takenOn), desc(ownPhotos.seriesId), ownPhotos.takenAt, ownPhotos.id),
    ),
  )

/** Newest series first. */
export const listOwnPhotos = (scope: OwnScope) => readOwn(scope)

export const countOwnPhotos = ({ db, env, patient }: OwnScope): Promise<number> =>
  db.transaction((tx) => asPatient(tx, env, patient, (own) => own.$count(ownPhotos)))

/** Null: no photo with this id is released to the patient now. */
export const findOwnPhoto = async (scope: OwnScope, id: string) => (await readOwn(scope, id))[0] ?? null
