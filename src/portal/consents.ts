import * as service from '../chart/consent-forms/service.ts'
import type { OwnConsentLine } from '../chart/consent-forms/contract.ts'
import type { Scope } from '../kernel/scope.ts'
import { openSigned, signedQuery } from './file-links.ts'
import { denied } from './own-scope.ts'
import type { PatientScope } from './sessions.ts'

/*
 * The consent forms of the session's patient. The database refuses rows of others (guard.ts); an attempt on one is audited and answered like
 * one on a consent form that does not exist.
 */

type Input<Work extends (scope: PatientScope, input: never) => unknown> = Parameters<Work>[1]

/** Newest first, each with a link to its sealed PDF that works for one minute. */
export async function listOwn(scope: PatientScope): Promise<OwnConsentLine[]> {
  return (await service.listOwnConsents(scope)).map(({ file, ...line }) => ({
    ...line,
    fileUrl: file && `/api/functions/patient-consent-file/${file.id}?${signedQuery(scope, { id: file.id, as: 'consent' })}`,
  }))
}

export const getOwn = async (scope: PatientScope, id: string) =>
  (await service.getOwnConsent(scope, id)) ?? denied(scope, 'consent form', id)

export const signOwn = async (scope: PatientScope, input: Input<typeof service.signOwnConsent>) =>
  (await service.signOwnConsent(scope, input)) ?? denied(scope, 'consent form', input.id)

export const askOwn = async (scope: PatientScope, input: Input<typeof service.askAboutOwnConsent>) =>
  (await service.askAboutOwnConsent(scope, input)) ?? denied(scope, 'consent form', input.id)

export const declineOwn = async (scope: PatientScope, input: Input<typeof service.declineOwnConsent>) =>
  (await service.declineOwnConsent(scope, input)) ?? denied(scope, 'consent form', input.id)

export const withdrawOwn = async (scope: PatientScope, input: Input<typeof service.withdrawOwnConsent>) =>
  (await service.withdrawOwnConsent(scope, input)) ?? denied(scope, 'consent form', input.id)

/** The sealed PDF of a link, if link and session are valid and the patient may see it; otherwise null. */
export async function openConsentLink(scope: Scope, id: string, query: URLSearchParams) {
  const own = await openSigned(scope, { id, as: 'consent' }, query)
  const file = own && (await service.findOwnFile(own, id))
  return file && { scope: own, file }
}
