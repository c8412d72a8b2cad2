import { getOwnForm, saveOwnForm, submitOwnForm } from '../chart/forms/service.ts'
import { denied } from './own-scope.ts'
import type { PatientScope } from './sessions.ts'

/*
 * The forms of the session's patient. The database refuses rows of others (guard.ts); an attempt on one is audited and answered like one on a
 * form that does not exist.
 */

export const getOwn = async (scope: PatientScope, id: string) => (await getOwnForm(scope, id)) ?? denied(scope, 'form', id)

export const saveOwn = async (scope: PatientScope, input: Parameters<typeof saveOwnForm>[1]) =>
  (await saveOwnForm(scope, input)) ?? denied(scope, 'form', input.id)

export const submitOwn = async (scope: PatientScope, input: Parameters<typeof submitOwnForm>[1]) =>
  (await submitOwnForm(scope, input)) ?? denied(scope, 'form', input.id)
