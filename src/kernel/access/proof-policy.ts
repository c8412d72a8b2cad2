import type { Route } from './policy.ts'

/**
 * Calls that require the password or a code again, unless it was entered in the last minutes, so that an unattended page is not enough. The
 * text completes "Enter your password to".
 */
export const proofActions = {
  'auth.proof': 'continue',
  'people.update': 'change this account',
  'people.resetTwoFactor': 'reset two-step sign-in for this account',
  'people.setEmergencyAccess': 'change emergency access',
  'people.unlinkSso': 'unlink this account',
  'people.invite': 'invite someone',
  'people.resendInvitation': 'resend this invitation',
  'account.beginPasskey': 'add a passkey',
  'account.removePasskey': 'remove this passkey',
  'contacts.merge': 'merge these patients',
  'contacts.undoMerge': 'undo this merge',
  'contacts.export': 'export patients',
  'imports.errors': 'download the rejected rows',
  'pos.export': 'export receipts',
  'collections.export': 'export outstanding balances',
  'reports.export': 'export this report',
  'audit.export': 'export the audit log',
  'wholeRecords.file': "export this patient's record",
  'photoUses.download': 'download these photos',
  'tasks.export': 'export tasks',
  'appointments.export': 'export appointments',
  'surgeries.export': 'export surgeries',
  'recalls.export': 'export the patients of a recall',
  'campaigns.refused': 'export the refused patients of a campaign',
  'inbox.export': 'export conversations',
  'apiKeys.create': 'create an API key',
  'signingKeys.rotate': 'rotate the signing key',
  'signingKeys.export': 'export this signing key',
  'practice.changeSettings': 'change the practice settings',
  'webhooks.create': 'create a webhook',
  'webhooks.change': 'change this webhook',
  'webhooks.rotateSecret': 'replace the secret of this webhook',
  'retention.set': 'change how long data is kept',
  'quickbooks.connect': 'connect QuickBooks',
  'quickbooks.disconnect': 'disconnect QuickBooks',
  'calendarFeeds.create': 'create a private calendar link',
} as const satisfies Partial<Record<Route, string>>
export type ProofAction = keyof typeof proofActions

export const needsProof: ReadonlySet<Route> = new Set(Object.keys(proofActions) as ProofAction[])

/** The files that need a proof, by the path after /api, without its ending, as the server offers them (raw-routes.ts). */
const filePaths: readonly (readonly [RegExp, ProofAction])[] = [
  [/^\/contacts\/export$/, 'contacts.export'],
  [/^\/contacts\/[^/]+\/whole-record$/, 'wholeRecords.file'],
  [/^\/contacts\/[^/]+\/photos$/, 'photoUses.download'],
  [/^\/imports\/[^/]+\/errors$/, 'imports.errors'],
  [/^\/pos\/receipts$/, 'pos.export'],
  [/^\/collections\/outstanding$/, 'collections.export'],
  [/^\/reports$/, 'reports.export'],
  [/^\/audit$/, 'audit.export'],
  [/^\/tasks$/, 'tasks.export'],
  [/^\/appointments$/, 'appointments.export'],
  [/^\/surgeries$/, 'surgeries.export'],
  [/^\/recalls$/, 'recalls.export'],
  [/^\/campaigns\/refused$/, 'campaigns.refused'],
  [/^\/conversations$/, 'inbox.export'],
]

/** The same for file downloads, by address. */
export function actionOfFile(address: string): ProofAction {
  const path = new URL(address, 'http://clinic.example').pathname.replace(/^\/api/, '').replace(/\.\w+$/, '')
  return filePaths.find(([pattern]) => pattern.test(path))?.[1] ?? 'auth.proof'
}
