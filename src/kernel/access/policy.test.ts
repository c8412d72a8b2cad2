import { describe, expect, it } from 'vitest'
import { calls, encode } from '../../../test/access/calls.ts'
import { insertOneOfEach, type OneOfEach } from '../../../test/factories.ts'
import { password, useServer } from '../../../test/server.ts'
import { sideBySide } from '../../../test/side-by-side.ts'
import { openStream } from '../../../test/network/stream.ts'
import { until } from '../../../test/until.ts'
import { createApp } from '../../app/app.ts'
import { mayUse, permissions } from './policy.ts'
import { type Role, roles } from './rules.ts'

/** PRODUCT.md's permission matrix, call by call, written by hand: a change to a role's permissions has to be repeated here. */
const expected: Record<string, string> = {
  'GET /auth/session': 'anyone',
  'POST /auth/sign-in': 'anyone',
  'POST /auth/sign-up': 'anyone',
  'POST /auth/sign-out': 'admin sales_rep provider front_desk billing pending',
  'POST /auth/password-reset': 'anyone',
  'POST /auth/password': 'anyone',
  'POST /auth/verify-email': 'anyone',
  'POST /auth/verification': 'anyone',
  'GET /auth/setup': 'anyone',
  'POST /auth/setup': 'anyone',
  'POST /auth/second-step': 'anyone',
  'POST /auth/passkey/challenge': 'anyone',
  'POST /auth/passkey': 'anyone',
  'POST /auth/sso': 'anyone',
  'POST /auth/sso/proof': 'admin sales_rep provider front_desk billing pending',
  'POST /auth/sso/callback': 'anyone',
  'POST /auth/activity': 'admin sales_rep provider front_desk billing pending',
  'POST /auth/step-up': 'admin sales_rep provider front_desk billing pending',
  'GET /auth/proof': 'admin sales_rep provider front_desk billing pending',
  'GET /auth/invitations/{token}': 'anyone',
  'POST /auth/invitations/{token}/acceptance': 'anyone',
  'PATCH /account/profile': 'admin sales_rep provider front_desk billing', // own account
  'GET /account/sessions': 'admin sales_rep provider front_desk billing',
  'DELETE /account/sessions/{id}': 'admin sales_rep provider front_desk billing',
  'DELETE /account/sessions': 'admin sales_rep provider front_desk billing',
  'GET /account/passkeys': 'admin sales_rep provider front_desk billing',
  'POST /account/passkeys/challenge': 'admin sales_rep provider front_desk billing',
  'POST /account/passkeys': 'admin sales_rep provider front_desk billing',
  'DELETE /account/passkeys/{id}': 'admin sales_rep provider front_desk billing',
  'GET /account/two-factor': 'admin sales_rep provider front_desk billing',
  'POST /account/two-factor': 'admin sales_rep provider front_desk billing',
  'POST /account/two-factor/confirmation': 'admin sales_rep provider front_desk billing',
  'POST /account/two-factor/recovery-codes': 'admin sales_rep provider front_desk billing',
  'POST /account/two-factor/removal': 'admin sales_rep provider front_desk billing',
  'GET /account/signatures': 'admin sales_rep provider front_desk billing',
  'PUT /account/signatures/{language}': 'admin sales_rep provider front_desk billing',
  'GET /contacts/{contactId}/notes': 'admin provider',
  'POST /contacts/{contactId}/notes': 'admin provider',
  'GET /notes/{id}': 'admin provider',
  'PATCH /notes/{id}': 'admin provider', // the author
  'DELETE /notes/{id}': 'admin provider', // the author
  'POST /notes/{id}/take-over': 'admin provider',
  'POST /notes/{id}/sign': 'provider',
  'POST /notes/{id}/cosign': 'provider',
  'POST /notes/{id}/addenda': 'admin provider',
  'GET /notes/{id}/revisions': 'admin provider',
  'GET /notes/{id}/revisions/{revisionId}': 'admin provider',
  'GET /note-templates': 'admin provider',
  'POST /note-templates': 'admin provider',
  'PUT /note-templates/{id}': 'admin provider',
  'GET /api-keys': 'admin',
  'POST /api-keys': 'admin',
  'DELETE /api-keys/{id}': 'admin',
  'GET /signing-keys': 'admin',
  'POST /signing-keys': 'admin',
  'POST /signing-keys/{id}/export': 'admin',
  'GET /retention': 'admin',
  'PUT /retention/{kind}': 'admin',
  'GET /retention/{kind}/count': 'admin',
  'GET /contacts/{contactId}/whole-record': 'admin', // contains data that other roles see only in part
  'GET /webhooks': 'admin',
  'POST /webhooks': 'admin',
  'PATCH /webhooks/{id}': 'admin',
  'POST /webhooks/{id}/secret': 'admin',
  'DELETE /webhooks/{id}': 'admin',
  'POST /webhooks/{id}/test': 'admin',
  'GET /webhooks/{id}/deliveries': 'admin',
  'POST /webhook-deliveries/{id}/retry': 'admin',
  'GET /people': 'admin sales_rep provider front_desk billing',
  'GET /accounts': 'admin',
  'PATCH /accounts/{id}': 'admin',
  'GET /roles': 'admin',
  'GET /audit': 'admin',
  'GET /audit/{id}': 'admin',
  'GET /contacts/{contactId}/views': 'admin',
  'POST /audit/printed': 'admin sales_rep provider front_desk billing', // reports a printed page
  'POST /accounts/{id}/two-factor-reset': 'admin',
  'PUT /accounts/{id}/emergency-access': 'admin',
  'POST /accounts/{id}/sso-unlink': 'admin',
  'GET /invitations': 'admin',
  'POST /invitations': 'admin',
  'POST /invitations/{id}/resend': 'admin',
  'DELETE /invitations/{id}': 'admin',
  'GET /events': 'admin sales_rep provider front_desk billing',
  'GET /funnel-stages': 'admin sales_rep provider front_desk billing',
  'GET /funnel-stages/counts': 'admin',
  'POST /funnel-stages': 'admin',
  'PATCH /funnel-stages/{id}': 'admin',
  'PUT /funnel-stages/{id}/place': 'admin',
  'POST /funnel-stages/{id}/merge': 'admin',
  'GET /practice': 'admin',
  'PATCH /practice': 'admin',
  'DELETE /practice/logo': 'admin',
  'GET /lead-sources': 'admin sales_rep provider front_desk billing',
  'GET /lead-sources/{id}': 'admin',
  'POST /lead-sources': 'admin',
  'PATCH /lead-sources/{id}': 'admin',
  'POST /lead-sources/{id}/webhook-key': 'admin',
  'POST /lead-sources/{id}/move': 'admin',
  'DELETE /lead-sources/{id}': 'admin',
  'GET /lead-source-spend': 'admin sales_rep billing',
  'PUT /lead-sources/{id}/spend': 'admin',
  'GET /procedures': 'admin sales_rep provider front_desk billing',
  'POST /procedures': 'admin',
  'PUT /procedures/{id}': 'admin',
  'GET /procedures/{id}/price-list': 'admin',
  'PUT /procedures/{id}/price-list': 'admin',
  'GET /procedures/{id}/instructions': 'admin',
  'PUT /procedures/{id}/instructions': 'admin',
  'GET /procedures/{id}/uses': 'admin',
  'POST /procedures/{id}/move': 'admin',
  'DELETE /procedures/{id}': 'admin',
  'GET /tags': 'admin sales_rep provider front_desk billing',
  'POST /tags': 'admin sales_rep provider front_desk billing',
  'GET /backups': 'admin',
  'GET /connections': 'admin',
  'GET /system': 'admin',
  'POST /connections/{system}/test': 'admin',
  'GET /tags/counts': 'admin',
  'PATCH /tags/{id}': 'admin',
  'POST /tags/{id}/merge': 'admin',
  'DELETE /tags/{id}': 'admin',
  'GET /contacts': 'admin sales_rep provider front_desk billing',
  'GET /contacts/count': 'admin sales_rep provider front_desk billing',
  'GET /contacts/tally': 'admin sales_rep provider front_desk billing',
  'GET /contacts/find': 'admin sales_rep provider front_desk billing',
  'GET /contacts/board': 'admin sales_rep provider front_desk billing',
  'GET /contacts/board/columns/{stage}': 'admin sales_rep provider front_desk billing',
  'GET /contacts/batch': 'admin sales_rep',
  'GET /contacts/by-stage': 'admin sales_rep provider front_desk billing',
  'GET /contacts/by-source': 'admin sales_rep provider front_desk billing',
  'GET /contacts/by-email': 'admin sales_rep provider front_desk billing',
  'GET /contacts/welcome': 'admin sales_rep provider front_desk billing',
  'GET /contacts/{id}': 'admin sales_rep provider front_desk billing',
  'POST /contacts': 'admin sales_rep provider front_desk billing',
  'PATCH /contacts/{id}': 'admin sales_rep provider front_desk billing',
  'DELETE /contacts/{id}': 'admin sales_rep',
  'GET /contacts/{id}/merge-preview': 'admin sales_rep',
  'POST /contacts/{id}/merge': 'admin sales_rep',
  'GET /contacts/{id}/merges': 'admin sales_rep',
  'POST /merges/{id}/undo': 'admin sales_rep',
  'GET /contacts/{contactId}/portrait': 'admin provider front_desk',
  'PUT /contacts/{contactId}/portrait': 'admin provider front_desk',
  'DELETE /contacts/{contactId}/portrait': 'admin provider front_desk',
  'GET /contacts/{contactId}/health-card': 'admin provider front_desk',
  'GET /contacts/{contactId}/health-card/number': 'admin provider front_desk',
  'PUT /contacts/{contactId}/health-card': 'admin provider front_desk',
  'DELETE /contacts/{contactId}/health-card': 'admin provider front_desk',
  'GET /contacts/{id}/consent': 'admin sales_rep provider front_desk billing',
  'POST /contacts/{id}/consent': 'admin sales_rep provider front_desk billing',
  'POST /contacts/{id}/consent/withdrawal': 'admin sales_rep provider front_desk billing',
  'GET /unsubscribe/{token}': 'anyone',
  'GET /contacts/{id}/stage-history': 'admin sales_rep provider front_desk billing',
  'GET /contacts/{id}/history': 'admin sales_rep provider front_desk billing',
  'GET /campaigns': 'admin sales_rep',
  'POST /campaigns': 'admin sales_rep',
  'GET /campaigns/sender-domain': 'admin sales_rep',
  'GET /campaigns/{id}': 'admin sales_rep',
  'PUT /campaigns/{id}': 'admin sales_rep',
  'DELETE /campaigns/{id}': 'admin sales_rep',
  'GET /campaigns/{id}/check': 'admin sales_rep',
  'GET /campaigns/{id}/preview': 'admin sales_rep',
  'GET /campaigns/{id}/results': 'admin sales_rep',
  'POST /campaigns/{id}/test': 'admin sales_rep',
  'POST /campaigns/{id}/start': 'admin sales_rep',
  'POST /campaigns/{id}/pause': 'admin sales_rep',
  'POST /campaigns/{id}/resume': 'admin sales_rep',
  'POST /campaigns/{id}/stop': 'admin sales_rep',
  'POST /campaigns/{id}/winner': 'admin sales_rep',
  'GET /contacts/{contactId}/referrals': 'admin sales_rep provider front_desk billing',
  'PUT /contacts/{contactId}/referrer': 'admin sales_rep provider front_desk billing',
  'DELETE /contacts/{contactId}/referrer': 'admin sales_rep provider front_desk billing',
  'GET /contacts/{id}/tags': 'admin sales_rep provider front_desk billing',
  'PUT /contacts/{id}/tags/{tagId}': 'admin sales_rep provider front_desk billing',
  'DELETE /contacts/{id}/tags/{tagId}': 'admin sales_rep provider front_desk billing',
  'GET /appointments': 'admin sales_rep provider front_desk',
  'GET /contacts/{contactId}/appointments': 'admin sales_rep provider front_desk',
  'GET /appointments/{id}': 'admin sales_rep provider front_desk',
  'GET /appointments/{id}/correspondence': 'admin sales_rep provider front_desk',
  'GET /appointments/openings': 'admin sales_rep provider front_desk',
  'GET /appointments/series-dates': 'admin sales_rep provider front_desk',
  'POST /appointments/series': 'admin sales_rep provider front_desk',
  'POST /appointments': 'admin sales_rep provider front_desk',
  'PATCH /appointments/{id}': 'admin sales_rep provider front_desk',
  'POST /appointments/{id}/status': 'admin sales_rep provider front_desk',
  'GET /visit-types': 'admin sales_rep provider front_desk',
  'POST /visit-types': 'admin',
  'PUT /visit-types/{id}': 'admin',
  'PUT /visit-types/order': 'admin',
  'GET /staff-hours': 'admin sales_rep provider front_desk',
  'PUT /staff-hours/{id}': 'admin',
  'POST /staff-exceptions': 'admin sales_rep provider front_desk', // own time off
  'DELETE /staff-exceptions/{id}': 'admin sales_rep provider front_desk', // own time off
  'GET /text-links/{code}': 'anyone',
  'POST /text-links/{code}/opening': 'anyone',
  'POST /text-links/{code}/renewal': 'anyone',
  'GET /pay-links/{token}': 'anyone',
  'POST /pay-links/{token}/payments': 'anyone',
  'POST /pay-links/{token}/checks': 'anyone',
  'GET /appointment-links/{token}': 'anyone',
  'POST /appointment-links/{token}/confirmation': 'anyone',
  'POST /appointment-links/{token}/cancellation': 'anyone',
  'GET /appointment-links/{token}/openings': 'anyone',
  'POST /appointment-links/{token}/time': 'anyone',
  'POST /appointment-links/{token}/requests': 'anyone',
  'GET /booking': 'anyone',
  'GET /booking/openings': 'anyone',
  'POST /booking/requests': 'anyone',
  'POST /booking/code': 'anyone',
  'POST /booking/proof': 'anyone',
  'POST /booking/time': 'anyone',
  'POST /booking/offers': 'anyone',
  'POST /booking/payment': 'anyone',
  'POST /booking/confirmation': 'anyone',
  'POST /booking/waiting-list': 'anyone',
  'POST /booking/time-release': 'anyone',
  'POST /booking/end': 'anyone',
  'GET /equipment': 'admin sales_rep provider front_desk',
  'POST /equipment': 'admin',
  'PUT /equipment/{id}': 'admin',
  'GET /subscribed-calendars': 'admin sales_rep provider front_desk',
  'POST /subscribed-calendars': 'admin',
  'DELETE /subscribed-calendars/{id}': 'admin',
  'POST /subscribed-calendars/{id}/readings': 'admin',
  'GET /subscribed-calendars/own': 'admin sales_rep provider front_desk',
  'PUT /subscribed-calendars/own': 'admin sales_rep provider front_desk',
  'GET /waiting-list': 'admin sales_rep provider front_desk',
  'GET /contacts/{contactId}/waiting-list': 'admin sales_rep provider front_desk',
  'POST /waiting-list': 'admin sales_rep provider front_desk',
  'PUT /waiting-list/{id}': 'admin sales_rep provider front_desk',
  'POST /waiting-list/{id}/end': 'admin sales_rep provider front_desk',
  'GET /waiting-list/gaps': 'admin sales_rep provider front_desk',
  'POST /waiting-list/{id}/offers': 'admin sales_rep provider front_desk',
  'GET /waiting-offers/{token}': 'anyone',
  'POST /waiting-offers/{token}/acceptance': 'anyone',
  'POST /waiting-offers/{token}/refusal': 'anyone',
  'GET /waiting-places/{token}': 'anyone',
  'POST /waiting-places/{token}/leave': 'anyone',
  'GET /calendar-feed': 'admin provider',
  'POST /calendar-feed': 'admin provider',
  'DELETE /calendar-feed': 'admin provider',
  // Front desk: allergies and alerts only (chart/health/health.test.ts).
  'GET /contacts/{contactId}/health': 'admin provider front_desk',
  'POST /contacts/{contactId}/health/entries': 'admin provider front_desk',
  'PATCH /health-entries/{id}': 'admin provider front_desk',
  'POST /contacts/{contactId}/health/reviews': 'admin provider front_desk',
  'POST /contacts/{contactId}/health/measurements': 'admin provider',
  'GET /surgeries': 'admin sales_rep provider front_desk',
  'GET /contacts/{contactId}/surgeries': 'admin sales_rep provider front_desk',
  'GET /surgeries/{id}': 'admin sales_rep provider front_desk',
  'POST /surgeries': 'admin sales_rep provider front_desk',
  'PATCH /surgeries/{id}': 'admin sales_rep provider front_desk',
  'POST /surgeries/{id}/status': 'admin sales_rep provider front_desk',
  'GET /surgeries/{id}/safety-checklist': 'admin provider',
  'POST /surgeries/{id}/safety-checklist/answers': 'admin provider',
  'POST /surgeries/{id}/safety-checklist/confirmations': 'admin provider',
  'POST /surgeries/{id}/safety-checklist/waivers': 'admin provider',
  'GET /adverse-events': 'admin provider',
  'GET /contacts/{contactId}/adverse-events': 'admin provider',
  'GET /adverse-events/{id}': 'admin provider',
  'POST /adverse-events': 'admin provider',
  'PATCH /adverse-events/{id}': 'admin provider',
  'POST /adverse-events/{id}/narrative': 'admin provider',
  'POST /adverse-events/{id}/filing': 'admin provider',
  'DELETE /adverse-events/{id}/filing': 'admin provider',
  'POST /adverse-events/{id}/void': 'admin provider',
  'GET /surgeries/{id}/check-ins': 'admin provider front_desk',
  'GET /check-in-schedules': 'admin',
  'PUT /procedures/{id}/check-in-schedule': 'admin',
  'DELETE /procedures/{id}/check-in-schedule': 'admin',
  'POST /surgeries/{id}/items': 'admin sales_rep provider front_desk',
  'PATCH /surgeries/{id}/items/{itemId}': 'admin sales_rep provider front_desk',
  'DELETE /surgeries/{id}/items/{itemId}': 'admin sales_rep provider front_desk',
  'GET /checklist-templates': 'admin sales_rep provider front_desk',
  'POST /checklist-templates': 'admin',
  'PUT /checklist-templates/{id}': 'admin',
  'DELETE /checklist-templates/{id}': 'admin',
  'GET /rooms': 'admin sales_rep provider front_desk billing',
  'POST /rooms': 'admin',
  'PATCH /rooms/{id}': 'admin',
  'GET /locations': 'admin sales_rep provider front_desk billing',
  'POST /locations': 'admin',
  'PATCH /locations/{id}': 'admin',
  'GET /practice-hours': 'admin sales_rep provider front_desk billing',
  'PUT /practice-hours': 'admin',
  'GET /contacts/{contactId}/quotes': 'admin sales_rep front_desk billing',
  'GET /contacts/{contactId}/quote-choices': 'admin sales_rep front_desk billing',
  'GET /charges/{chargeId}/quoted-items': 'admin sales_rep front_desk billing',
  'GET /quotes/{id}': 'admin sales_rep front_desk billing',
  'POST /quotes': 'admin sales_rep front_desk billing',
  'PUT /quotes/{id}': 'admin sales_rep front_desk billing',
  'POST /quotes/{id}/versions': 'admin sales_rep front_desk billing',
  'POST /quotes/{id}/send': 'admin sales_rep front_desk billing',
  'POST /quotes/{id}/accept': 'admin sales_rep front_desk billing',
  'POST /quotes/{id}/financing': 'admin sales_rep front_desk billing',
  'POST /financing/{id}/approval': 'admin sales_rep front_desk billing',
  'POST /financing/{id}/decline': 'admin sales_rep front_desk billing',
  'POST /financing/{id}/payment': 'admin billing',
  'POST /quotes/{id}/decline': 'admin sales_rep front_desk billing',
  'POST /quotes/{id}/withdraw': 'admin sales_rep front_desk billing', // of an accepted quote: roles that may void charges
  'POST /bulk-changes': 'admin sales_rep provider front_desk billing',
  'GET /bulk-changes/{id}': 'admin sales_rep provider front_desk billing',
  'GET /bulk-changes/current': 'admin sales_rep provider front_desk billing',
  'GET /deletions': 'admin sales_rep',
  'POST /bulk-changes/{id}/cancel': 'admin sales_rep provider front_desk billing',
  'POST /bulk-changes/{id}/undo': 'admin sales_rep provider front_desk billing',
  'GET /dashboard': 'admin sales_rep provider front_desk billing',
  'GET /duplicates': 'admin sales_rep',
  'GET /contacts/{contactId}/duplicates': 'admin sales_rep',
  'POST /duplicates/similar': 'admin sales_rep provider front_desk billing',
  'PUT /duplicates/{firstId}/{secondId}/dismissal': 'admin sales_rep',
  'DELETE /duplicates/{firstId}/{secondId}/dismissal': 'admin sales_rep',
  // Intake forms: the front desk sends them and sees how far they are, but no answers.
  'GET /form-templates': 'admin provider front_desk',
  'GET /form-templates/{id}': 'admin provider front_desk',
  'POST /form-templates': 'admin',
  'PUT /form-templates/{id}/draft': 'admin',
  'POST /form-templates/{id}/publish': 'admin',
  'PATCH /form-templates/{id}': 'admin',
  'GET /contacts/{contactId}/forms': 'admin provider front_desk',
  'POST /contacts/{contactId}/forms': 'admin provider front_desk',
  'POST /forms/{id}/withdraw': 'admin provider front_desk',
  'POST /forms/{id}/resend': 'admin provider front_desk',
  'GET /forms/{id}': 'admin provider',
  'GET /forms/{id}/review': 'admin provider',
  'POST /forms/{id}/review': 'admin provider',
  'POST /forms/{id}/review/end': 'admin provider',
  'GET /forms-to-review': 'admin provider',
  'GET /contacts/{contactId}/tablet': 'admin provider front_desk',
  'POST /contacts/{contactId}/tablet': 'admin provider front_desk',
  'POST /tablet-sessions/{id}/end': 'admin provider front_desk',
  // Consent forms: likewise. Only providers countersign; a withdrawal by phone reaches the front desk.
  'GET /consent-templates': 'admin provider front_desk',
  'GET /consent-templates/{id}': 'admin provider front_desk',
  'POST /consent-templates': 'admin',
  'PUT /consent-templates/{id}/draft': 'admin',
  'POST /consent-templates/{id}/publish': 'admin',
  'PATCH /consent-templates/{id}': 'admin',
  'GET /contacts/{contactId}/consent-forms': 'admin provider front_desk',
  'POST /contacts/{contactId}/consent-forms': 'admin provider front_desk',
  'GET /surgeries/{id}/consent-forms': 'admin provider front_desk',
  'POST /surgeries/{id}/consent-forms': 'admin provider front_desk',
  'GET /consent-forms/{id}': 'admin provider',
  'POST /consent-forms/{id}/cancel': 'admin provider front_desk',
  'POST /consent-forms/{id}/resend': 'admin provider front_desk',
  'POST /consent-forms/{id}/countersign': 'provider',
  'POST /consent-forms/{id}/withdraw': 'admin provider front_desk',
  'POST /contacts/{contactId}/paper-consents': 'admin provider front_desk',
  'GET /consent-templates/{id}/impact': 'admin',
  'GET /email-templates': 'admin sales_rep provider front_desk billing',
  'GET /email-templates/{id}': 'admin sales_rep provider front_desk billing',
  'POST /email-templates': 'admin sales_rep front_desk', // roles that send email
  'PATCH /email-templates/{id}': 'admin sales_rep front_desk',
  'DELETE /email-templates/{id}': 'admin sales_rep front_desk',
  'POST /email-templates/{id}/copies': 'admin sales_rep front_desk',
  'POST /email-templates/preview': 'admin sales_rep provider front_desk billing',
  'GET /user/nylas-connection': 'admin sales_rep provider front_desk billing', // own mailbox
  'POST /mailbox/connect': 'admin sales_rep provider front_desk billing',
  'POST /mailbox/callback': 'admin sales_rep provider front_desk billing',
  'POST /mailbox/disconnect': 'admin sales_rep provider front_desk billing',
  'POST /mailbox/test': 'admin sales_rep provider front_desk billing',
  'GET /nylas/messages/{grantId}': 'admin sales_rep provider front_desk billing',
  'GET /mailbox/folders': 'admin sales_rep provider front_desk billing',
  'GET /mailbox/threads': 'admin sales_rep provider front_desk billing',
  'GET /mailbox/threads/{id}': 'admin sales_rep provider front_desk billing',
  'PATCH /mailbox/threads/{id}': 'admin sales_rep provider front_desk billing',
  'PUT /mailbox/threads/{id}/patient': 'admin sales_rep provider front_desk billing',
  'DELETE /mailbox/threads/{id}/patient': 'admin sales_rep provider front_desk billing',
  'GET /mailbox/drafts': 'admin sales_rep provider front_desk billing',
  'GET /mailbox/drafts/{id}': 'admin sales_rep provider front_desk billing',
  'PUT /mailbox/drafts/{id}': 'admin sales_rep provider front_desk billing',
  'DELETE /mailbox/drafts/{id}': 'admin sales_rep provider front_desk billing',
  'DELETE /mailbox/drafts/{id}/files/{fileId}': 'admin sales_rep provider front_desk billing',
  'POST /mailbox/drafts/{id}/send': 'admin sales_rep provider front_desk billing',
  'GET /inbox/unread/count': 'admin sales_rep', // inbox
  'GET /inbox/unread': 'admin sales_rep',
  'GET /inbox/contacts/{contactId}/unread': 'admin sales_rep',
  'GET /inbox/contacts/{contactId}/phones': 'admin sales_rep',
  'POST /inbox/texts': 'admin sales_rep',
  'GET /inbox/conversations': 'admin sales_rep',
  'GET /inbox/conversations/{id}': 'admin sales_rep',
  'POST /inbox/conversations': 'admin sales_rep',
  'POST /inbox/conversations/{id}/reply': 'admin sales_rep',
  'POST /inbox/conversations/{id}/replying': 'admin sales_rep',
  'GET /inbox/quick-replies': 'admin sales_rep',
  'POST /inbox/quick-replies': 'admin sales_rep',
  'DELETE /inbox/quick-replies/{id}': 'admin sales_rep',
  'POST /inbox/scheduled': 'admin sales_rep',
  'PATCH /inbox/scheduled/{id}': 'admin sales_rep',
  'DELETE /inbox/scheduled/{id}': 'admin sales_rep',
  'POST /inbox/scheduled/{id}/send': 'admin sales_rep',
  'POST /inbox/messages/{id}/resend': 'admin sales_rep',
  'POST /inbox/conversations/{id}/notes': 'admin sales_rep',
  'PATCH /inbox/conversations/{id}': 'admin sales_rep',
  'POST /inbox/conversations/{id}/contact': 'admin sales_rep',
  'POST /inbox/messages/{id}/read': 'admin sales_rep',
  'POST /inbox/messages/{id}/unread': 'admin sales_rep',
  'POST /inbox/contacts/{contactId}/read': 'admin sales_rep',
  'POST /inbox/senders/read': 'admin sales_rep',
  'POST /inbox/conversations/{id}/read': 'admin sales_rep',
  'POST /inbox/read': 'admin sales_rep',
  'GET /imports': 'admin sales_rep',
  'GET /imports/{id}': 'admin sales_rep',
  'GET /imports/{id}/files': 'admin sales_rep',
  'POST /imports/{id}/check': 'admin sales_rep',
  'GET /imports/{id}/findings': 'admin sales_rep',
  'POST /imports/{id}/run': 'admin sales_rep',
  'POST /imports/{id}/cancel': 'admin sales_rep',
  'POST /imports/{id}/undo': 'admin sales_rep',
  'DELETE /imports/{id}': 'admin sales_rep',
  'GET /contacts/{contactId}/interactions': 'admin sales_rep provider front_desk billing',
  'GET /contacts/{contactId}/interactions/pinned': 'admin sales_rep provider front_desk billing',
  'PUT /contacts/{contactId}/interactions/{id}/pin': 'admin sales_rep provider front_desk', // notes are clinical notes
  'DELETE /contacts/{contactId}/interactions/{id}/pin': 'admin sales_rep provider front_desk',
  'POST /contacts/{contactId}/interactions': 'admin sales_rep provider front_desk', // calls, notes, emails and meetings are clinical notes
  'GET /lead-entries': 'admin sales_rep',
  'POST /lead-entries/{id}/retry': 'admin',
  'GET /lead-entries/queue': 'admin sales_rep',
  'GET /lead-entries/queue/counts': 'admin sales_rep',
  'POST /lead-entries/{id}/complete': 'admin sales_rep',
  'POST /lead-entries/{id}/discard': 'admin sales_rep',
  'POST /lead-entries/{id}/restore': 'admin sales_rep',
  'GET /lead-sources/{sourceId}/fields': 'admin sales_rep',
  'POST /lead-sources/{sourceId}/fields': 'admin sales_rep',
  'GET /tasks': 'admin sales_rep provider front_desk billing',
  'GET /tasks/counts': 'admin sales_rep provider front_desk billing',
  'GET /tasks/week': 'admin sales_rep provider front_desk billing',
  'GET /contacts/{contactId}/tasks': 'admin sales_rep provider front_desk billing',
  'GET /tasks/assignable': 'admin sales_rep provider front_desk billing',
  'GET /tasks/{id}': 'admin sales_rep provider front_desk billing',
  'POST /tasks': 'admin sales_rep provider front_desk billing',
  'PATCH /tasks/{id}': 'admin sales_rep provider front_desk billing',
  'DELETE /tasks/{id}': 'admin sales_rep',
  'POST /tasks/{id}/complete': 'admin sales_rep provider front_desk billing',
  'POST /tasks/{id}/snooze': 'admin sales_rep provider front_desk billing',
  'PATCH /tasks': 'admin sales_rep provider front_desk billing',
  'POST /tasks/changes/{id}/undo': 'admin sales_rep provider front_desk billing',
  'GET /notifications/unread': 'admin sales_rep provider front_desk billing',
  'GET /notifications': 'admin sales_rep provider front_desk billing',
  'POST /notifications/{id}/read': 'admin sales_rep provider front_desk billing',
  'POST /notifications/{id}/unread': 'admin sales_rep provider front_desk billing',
  'POST /notifications/read': 'admin sales_rep provider front_desk billing',
  'GET /notifications/preferences': 'admin sales_rep provider front_desk billing',
  'PUT /notifications/preferences': 'admin sales_rep provider front_desk billing',
  'GET /devices': 'admin provider front_desk',
  'GET /devices/warnings': 'admin provider front_desk',
  'GET /devices/{id}': 'admin provider front_desk',
  'POST /devices': 'admin provider',
  'PUT /devices/{id}': 'admin provider',
  'GET /devices/{id}/movements': 'admin provider front_desk',
  'POST /devices/{id}/receive': 'admin provider front_desk',
  'POST /stock/move': 'admin provider front_desk',
  'POST /stock/waste': 'admin provider front_desk',
  'POST /stock/return': 'admin provider front_desk',
  'GET /stock-places': 'admin provider front_desk',
  'POST /stock-places': 'admin provider',
  'PUT /stock-places/{id}': 'admin provider',
  'GET /surgeries/{id}/devices': 'admin provider',
  'GET /contacts/{contactId}/implants': 'admin provider',
  'POST /surgeries/{id}/devices': 'admin provider',
  'POST /surgery-devices/{id}/use': 'admin provider',
  'POST /surgery-devices/{id}/waste': 'admin provider',
  'POST /surgery-devices/{id}/return': 'admin provider',
  'POST /surgery-devices/{id}/correct': 'admin provider',
  'POST /surgery-devices/{id}/explant': 'admin provider',
  'GET /recalls/affected': 'admin provider',
  'GET /sequences': 'admin sales_rep',
  'GET /sequences/{id}': 'admin sales_rep',
  'POST /sequences': 'admin sales_rep',
  'POST /sequences/from-starter': 'admin sales_rep',
  'PATCH /sequences/{id}': 'admin sales_rep',
  'DELETE /sequences/{id}': 'admin sales_rep',
  'POST /sequences/{id}/versions': 'admin sales_rep',
  'PUT /sequences/{id}/on': 'admin sales_rep',
  'POST /sequences/{id}/dry-run': 'admin sales_rep',
  'POST /sequences/{id}/simulation': 'admin sales_rep',
  'GET /sequences/{id}/patients': 'admin sales_rep',
  'GET /contacts/{id}/sequences': 'admin sales_rep front_desk',
  'GET /sequence-patients/{id}/log': 'admin sales_rep front_desk',
  'POST /sequence-patients/{id}/control': 'admin sales_rep front_desk',
  'GET /closed-days': 'admin sales_rep provider front_desk billing',
  'PUT /closed-days': 'admin',
  'GET /recalls': 'admin provider',
  'GET /recalls/{id}': 'admin provider',
  'GET /recalls/{id}/patients': 'admin provider',
  'POST /recalls': 'admin provider',
  'POST /recall-patients/{id}/attempts': 'admin provider',
  'POST /recall-patients/{id}/answer': 'admin provider',
  'GET /contacts/{contactId}/photos': 'admin provider',
  'GET /contacts/{contactId}/photo-series': 'admin provider front_desk', // without the photos
  'POST /contacts/{contactId}/photo-series': 'admin provider front_desk',
  'PUT /photo-series/{id}': 'admin provider',
  'DELETE /photo-series/{id}': 'admin provider',
  'PATCH /photos/{id}': 'admin provider',
  'DELETE /photos/{id}': 'admin provider',
  'POST /photos/{id}/restore': 'admin provider',
  'GET /contacts/{contactId}/photo-uses': 'admin provider',
  'POST /contacts/{contactId}/photo-uses': 'admin provider',
  'POST /contacts/{contactId}/photo-consents': 'admin provider',
  'POST /contacts/{contactId}/photo-links': 'admin provider',
  'POST /photo-consents/{id}/withdraw': 'admin provider',
  'POST /photo-uses/{id}/end': 'admin provider',
  'POST /photo-links/{id}/end': 'admin provider',
  'POST /contacts/{contactId}/photo-releases': 'admin provider',
  'POST /contacts/{contactId}/photo-releases/take-back': 'admin provider',
  'GET /consult-gallery': 'admin sales_rep provider',
  'GET /gallery': 'admin',
  'GET /shared-photos/{token}': 'anyone',
  'PUT /photos/{id}/adjustment': 'admin provider',
  'GET /photo-layers': 'admin provider',
  'POST /photo-layers': 'admin provider',
  'PUT /photo-layers/{id}': 'admin provider',
  'DELETE /photo-layers/{id}': 'admin provider',
  'GET /contacts/{contactId}/documents': 'admin sales_rep provider front_desk',
  'GET /documents/waiting': 'admin sales_rep provider front_desk',
  'GET /documents/waiting/count': 'admin sales_rep provider front_desk',
  'PATCH /documents/{id}': 'admin sales_rep provider front_desk',
  'POST /documents/{id}/review': 'admin sales_rep provider front_desk',
  'DELETE /documents/{id}': 'admin sales_rep provider front_desk',
  'POST /documents/{id}/restore': 'admin sales_rep provider front_desk',
  'POST /functions/request-document-access': 'anyone',
  'POST /functions/verify-document-access': 'anyone',
  'POST /functions/patient-documents-fetch': 'anyone',
  'POST /functions/patient-consents-fetch': 'anyone',
  'POST /functions/patient-consent-fetch': 'anyone',
  'POST /functions/patient-consent-sign': 'anyone',
  'POST /functions/patient-consent-ask': 'anyone',
  'POST /functions/patient-consent-decline': 'anyone',
  'POST /functions/patient-consent-withdraw': 'anyone',
  'POST /functions/patient-form-fetch': 'anyone',
  'POST /functions/patient-form-save': 'anyone',
  'POST /functions/patient-form-submit': 'anyone',
  'POST /functions/tablet-pair': 'anyone',
  'POST /functions/tablet-fetch': 'anyone',
  'POST /functions/patient-quotes-fetch': 'anyone',
  'POST /functions/patient-quote-accept': 'anyone',
  'POST /functions/patient-quote-decline': 'anyone',
  'POST /functions/patient-home-fetch': 'anyone',
  'POST /functions/patient-appointment-confirm': 'anyone',
  'POST /functions/patient-appointment-request': 'anyone',
  'POST /functions/patient-instructions-fetch': 'anyone',
  'POST /functions/patient-photos-fetch': 'anyone',
  'POST /functions/patient-receipts-fetch': 'anyone',
  'POST /functions/patient-messages-fetch': 'anyone',
  'POST /functions/patient-message-write': 'anyone',
  'POST /functions/patient-sign-out': 'anyone',
  'GET /qbo/customers/pos-search': 'admin sales_rep front_desk billing', // payments
  'GET /collections/outstanding/count': 'admin sales_rep front_desk billing',
  'GET /collections/outstanding': 'admin sales_rep front_desk billing',
  'GET /contacts/{contactId}/account': 'admin sales_rep front_desk billing',
  'POST /contacts/{contactId}/charges': 'admin sales_rep front_desk billing',
  'PUT /charges/{id}/plan': 'admin sales_rep front_desk billing',
  'POST /charges/{id}/payments': 'admin sales_rep front_desk billing',
  'POST /contacts/{contactId}/payments': 'admin sales_rep front_desk billing',
  'POST /charges/{id}/releases': 'admin sales_rep front_desk billing',
  'POST /charges/{id}/write-offs': 'admin billing',
  'POST /charges/{id}/void': 'admin billing',
  'POST /contacts/{contactId}/promises': 'admin sales_rep front_desk billing',
  'POST /contacts/{contactId}/hold': 'admin sales_rep front_desk billing',
  'GET /contacts/{contactId}/payment-link': 'admin sales_rep front_desk billing',
  'GET /contacts/{contactId}/reminders': 'admin sales_rep front_desk billing',
  'POST /contacts/{contactId}/reminders': 'admin sales_rep front_desk billing',
  'POST /qbo/customers/create': 'admin sales_rep front_desk billing',
  'POST /qbo/customers/update-email': 'admin sales_rep front_desk billing',
  'GET /pos/contacts/{contactId}/customer': 'admin sales_rep front_desk billing',
  'GET /qbo/items/search': 'admin sales_rep front_desk billing',
  'GET /qbo/references/accounts/filtered': 'admin sales_rep front_desk billing',
  'GET /qbo/references/taxcodes': 'admin sales_rep front_desk billing',
  'GET /qbo/references/classes': 'admin sales_rep front_desk billing',
  'GET /payouts': 'admin sales_rep front_desk billing',
  'GET /payouts/overdue': 'admin sales_rep front_desk billing',
  'GET /payouts/{id}': 'admin sales_rep front_desk billing',
  'GET /payouts/{id}/transactions': 'admin sales_rep front_desk billing',
  'POST /payouts/{id}/checks': 'admin billing',
  'POST /payouts/{id}/acceptance': 'admin billing',
  'POST /payouts/{id}/posting': 'admin billing',
  'GET /disputes': 'admin sales_rep front_desk billing',
  'GET /disputes/{id}': 'admin sales_rep front_desk billing',
  'PUT /disputes/{id}/statement': 'admin billing',
  'POST /disputes/{id}/submission': 'admin billing',
  'POST /disputes/{id}/acceptance': 'admin billing',
  'GET /contacts/{contactId}/saved-cards': 'admin sales_rep front_desk billing',
  'DELETE /saved-cards/{id}': 'admin sales_rep front_desk billing',
  'GET /prepaid/items': 'admin sales_rep front_desk billing',
  'GET /contacts/{contactId}/prepaid': 'admin sales_rep front_desk billing',
  'POST /gift-cards/lookups': 'admin sales_rep front_desk billing',
  'POST /contacts/{contactId}/credits': 'admin billing',
  'POST /contacts/{contactId}/credit-payments': 'admin sales_rep front_desk billing',
  'POST /packages/{id}/sessions': 'admin sales_rep front_desk billing',
  'POST /packages/{id}/sessions/{receiptId}/return': 'admin sales_rep front_desk billing',
  'GET /contacts/{contactId}/automatic-payments': 'admin sales_rep front_desk billing',
  'DELETE /contacts/{contactId}/automatic-payments': 'admin sales_rep front_desk billing',
  'POST /pay-links/{token}/automatic-payments/stop': 'anyone',
  'GET /appointments/{id}/fee': 'admin sales_rep front_desk billing',
  'POST /appointments/{id}/fee': 'admin sales_rep front_desk billing',
  'POST /appointments/{id}/fee-waiver': 'admin sales_rep front_desk billing',
  'GET /card-readers': 'admin sales_rep front_desk billing',
  'POST /card-readers/{readerId}/payments': 'admin sales_rep front_desk billing',
  'POST /card-payments/{id}/checks': 'admin sales_rep front_desk billing',
  'POST /card-payments/{id}/cancel': 'admin sales_rep front_desk billing',
  'POST /qbo/salesreceipt/create': 'admin sales_rep front_desk billing',
  'GET /pos/receipts/pending': 'admin sales_rep front_desk billing',
  'GET /pos/receipts': 'admin sales_rep front_desk billing',
  'GET /pos/receipts/totals': 'admin sales_rep front_desk billing',
  'GET /pos/receipts/choices': 'admin sales_rep front_desk billing',
  'GET /pos/receipts/{id}': 'admin sales_rep front_desk billing',
  'GET /pos/receipts/{id}/gift-cards': 'admin sales_rep front_desk billing',
  'POST /pos/receipts/{id}/refunds': 'admin billing',
  'GET /pos/receipts/{id}/addresses': 'admin sales_rep front_desk billing',
  'POST /pos/receipts/{id}/email': 'admin sales_rep front_desk billing',
  'POST /pos/receipts/{id}/retry': 'admin sales_rep front_desk billing',
  'POST /pos/receipts/{id}/cancel': 'admin sales_rep front_desk billing',
  'GET /refyne/contacts/search': 'admin sales_rep front_desk billing',
  'POST /refyne/contacts': 'admin sales_rep front_desk billing',
  'POST /interactions': 'admin sales_rep front_desk billing',
  'GET /qbo/status': 'admin sales_rep provider front_desk billing',
  'POST /qbo/connect': 'admin',
  'POST /qbo/callback': 'admin',
  'POST /qbo/disconnect': 'admin',
  'POST /qbo/references/refresh': 'admin sales_rep front_desk billing',
  'GET /report-choices': 'admin sales_rep provider billing', // reports
  'GET /reports/{report}': 'admin sales_rep provider billing',
  'GET /reports/{report}/records': 'admin sales_rep provider billing',
  'GET /saved-reports': 'admin sales_rep billing',
  'POST /saved-reports': 'admin sales_rep billing',
  'PATCH /saved-reports/{id}': 'admin sales_rep billing',
  'DELETE /saved-reports/{id}': 'admin sales_rep billing',
  'POST /saved-reports/{id}/restore': 'admin sales_rep billing',
  'PUT /saved-reports/{id}/schedule': 'admin sales_rep billing',
  'DELETE /saved-reports/{id}/schedule': 'admin sales_rep billing',
  'GET /saved-views': 'admin sales_rep provider front_desk billing',
  'GET /saved-views/{id}': 'admin sales_rep provider front_desk billing',
  'POST /saved-views': 'admin sales_rep provider front_desk billing',
  'PATCH /saved-views/{id}': 'admin sales_rep provider front_desk billing',
  'DELETE /saved-views/{id}': 'admin sales_rep provider front_desk billing',
  'POST /saved-views/{id}/restore': 'admin sales_rep provider front_desk billing',
}

const visitors = ['signed out', 'pending', 'disabled'] as const
type Who = Role | (typeof visitors)[number]
const everyone: Who[] = [...roles, ...visitors]

const expectedOf = (call: (typeof calls)[number], who: Who): 'allowed' | 401 | 403 => {
  const allowed = expected[`${call.method} ${call.path}`]?.split(' ') ?? []
  if (allowed.includes('anyone') || allowed.includes(who)) return 'allowed'
  return who === 'signed out' ? 401 : 403
}

describe('every call for every role (PRODUCT.md, "Who uses it")', () => {
  const server = useServer({ TRUST_PROXY: 'true' })

  /** A new session. Pending and disabled accounts are administrators, who have the most permissions. */
  const cookieOf = async (who: Who) => {
    if (who === 'signed out') return null
    const account = who === 'pending' || who === 'disabled' ? { role: 'admin' as const, status: who } : { role: who }
    return (await server.account(account)).cookie
  }

  /** Records for the calls to use, made again once a call has changed one of them. */
  let made: OneOfEach | null = null
  const ask = async (call: (typeof calls)[number], cookie: string | null) => {
    const records = (made ??= await insertOneOfEach(server))
    const input = call.validInput(records)
    const { path, body } = encode(call, input)
    const abort = new AbortController()
    const response = await fetch(`${server.url}${path}`, {
      method: call.method,
      headers: { ...(cookie ? { cookie } : {}), ...(body ? { 'content-type': 'application/json' } : {}), 'x-forwarded-for': address() },
      signal: abort.signal,
      ...(body ? { body } : {}),
    })
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const text = isStream ? '' : await response.text()
    if (isStream) abort.abort()
    if (call.method !== 'GET' && response.ok && Object.values(records).some((id) => JSON.stringify(input).includes(id))) made = null
    return { status: response.status, requestId: response.headers.get('x-request-id') ?? '', text }
  }
  let requestCount = 0
  const address = () => `10.0.${Math.floor(++requestCount / 250)}.${requestCount % 250}` // stay below the email limits per address

  it('lists exactly the existing calls in the table above', () => {
    expect(calls.map((call) => `${call.method} ${call.path}`).toSorted()).toEqual(Object.keys(expected).toSorted())
    expect(calls.map((call) => call.name).toSorted()).toEqual(Object.keys(permissions).toSorted())
  })

  it.each(everyone)('%s: allowed what the matrix says; else 401 when signed out, 403 otherwise, with an audit row', async (who) => {
    const mismatches: string[] = []
    const denials: { call: (typeof calls)[number]; requestId: string }[] = []
    const cookie = await cookieOf(who)
    made ??= await insertOneOfEach(server)
    const check = async (call: (typeof calls)[number]) => {
      const { status, requestId, text } = await ask(call, cookie)
      const expectedOutcome = expectedOf(call, who)
      const outcome = status === 401 || status === 403 ? status : status < 500 ? 'allowed' : `broken (${status})`
      // A wrong password, code or patient session is a 401 as well, with its own code.
      const got = /INVALID_CREDENTIALS|INVALID_CODE|INVALID_PASSKEY|SESSION_OVER/.test(text) ? 'allowed' : outcome
      if (got !== expectedOutcome) mismatches.push(`${call.method} ${call.path}: ${got}, not ${expectedOutcome} ${text.slice(0, 100)}`)
      if (got === 403) denials.push({ call, requestId })
    }
    // What changes nothing is asked for side by side; signing out comes last.
    const changesNothing = (call: (typeof calls)[number]) => call.method === 'GET' || expectedOf(call, who) !== 'allowed'
    await sideBySide(calls.filter(changesNothing), check)
    const changing = calls.filter((call) => !changesNothing(call))
    for (const call of changing.toSorted((a, b) => Number(a.name === 'auth.signOut') - Number(b.name === 'auth.signOut'))) await check(call)

    const rows = await server.rows<{ request_id: string }>(
      'select request_id, actor_role, action, kind from audit_log where request_id = any($1)',
      [denials.map(({ requestId }) => requestId)],
    )
    const rowsOf = Map.groupBy(rows, (row) => row.request_id)
    const role = who === 'pending' || who === 'disabled' ? 'admin' : who
    for (const { call, requestId } of denials) {
      const written = rowsOf.get(requestId) ?? []
      if (JSON.stringify(written) !== JSON.stringify([{ request_id: requestId, actor_role: role, action: 'denied', kind: call.name }])) {
        mismatches.push(`${call.method} ${call.path}: the denial's audit row is ${JSON.stringify(written)}`)
      }
    }
    expect(mismatches.join('\n')).toBe('')
  })

  it('refuses a call that the matrix does not list to everyone', async () => {
    const listed = permissions as Record<string, unknown>
    const access = listed['tags.list']
    const admin = await server.account({ role: 'admin' })
    delete listed['tags.list']
    try {
      expect((await server.send('GET', '/api/tags', undefined, admin.cookie)).status).toBe(403)
      expect((await server.send('GET', '/api/tags')).status).toBe(401)
    } finally {
      listed['tags.list'] = access
    }
    expect((await server.send('GET', '/api/tags', undefined, admin.cookie)).status).toBe(200)
  })

  it('refuses roles that are not listed, and visitors', () => {
    const actor = { id: '', sessionId: '', name: '', email: '', role: 'billing' as const }
    expect(mayUse(['admin'], { ...actor, status: 'active' })).toBe(false)
    expect(mayUse(['billing'], { ...actor, status: 'active' })).toBe(true)
    expect(mayUse(['billing'], { ...actor, status: 'pending' })).toBe(false)
    expect(mayUse('signed-in', { ...actor, status: 'disabled' })).toBe(false)
    expect(mayUse('signed-in', null)).toBe(false)
    expect(mayUse([], { ...actor, role: 'admin', status: 'active' })).toBe(false)
  })

  it('has only these untyped routes; except for files, they are public and show no patient data', async () => {
    const routes = createApp(server.running.runtime).routes.map(({ method, path }) => `${method} ${path}`)
    expect([...new Set(routes)].toSorted()).toEqual([
      'ALL /*',
      'ALL /api/*',
      'ALL /api/:file{appointments\\.(?:csv|xlsx)}',
      'ALL /api/:file{audit\\.(?:csv|xlsx)}',
      'ALL /api/:file{conversations\\.(?:csv|xlsx)}',
      'ALL /api/:file{payouts\\.(?:csv|xlsx)}',
      'ALL /api/:file{recalls\\.(?:csv|xlsx)}',
      'ALL /api/:file{surgeries\\.(?:csv|xlsx)}',
      'ALL /api/:file{tasks\\.(?:csv|xlsx)}',
      'ALL /api/campaigns/:file{refused\\.(?:csv|xlsx)}',
      'ALL /api/collections/:file{outstanding\\.(?:csv|xlsx)}',
      'ALL /api/contacts/:file{export\\.(?:csv|xlsx)}',
      'ALL /api/contacts/:id/photos.zip',
      'ALL /api/email-templates/preview.html',
      'ALL /api/pos/:file{receipts\\.(?:csv|xlsx)}',
      'GET /*',
      'GET /.well-known/security.txt',
      'GET /api/:file{appointments\\.(?:csv|xlsx)}',
      'GET /api/:file{audit\\.(?:csv|xlsx)}',
      'GET /api/:file{conversations\\.(?:csv|xlsx)}',
      'GET /api/:file{payouts\\.(?:csv|xlsx)}',
      'GET /api/:file{recalls\\.(?:csv|xlsx)}',
      'GET /api/:file{reports\\.(?:csv|xlsx)}',
      'GET /api/:file{surgeries\\.(?:csv|xlsx)}',
      'GET /api/:file{tasks\\.(?:csv|xlsx)}',
      'GET /api/adverse-events/:file{[^/]+\\.pdf}',
      'GET /api/appointment-links/:token/appointment.ics',
      'GET /api/calendar/:file',
      'GET /api/campaigns/:file{refused\\.(?:csv|xlsx)}',
      'GET /api/campaigns/:id/preview.html',
      'GET /api/collections/:file{outstanding\\.(?:csv|xlsx)}',
      'GET /api/consent-files/:file{[^/]+\\.pdf}',
      'GET /api/consult-gallery/:file{[^/]+\\.jpg}',
      'GET /api/contacts/:file{export\\.(?:csv|xlsx)}',
      'GET /api/contacts/:id/implant-card.pdf',
      'GET /api/contacts/:id/statement.pdf',
      'GET /api/contacts/:id/whole-record.zip',
      'GET /api/docs',
      'GET /api/documents/:id/file',
      'GET /api/documents/:id/preview',
      'GET /api/functions/patient-consent-file/:id',
      'GET /api/functions/patient-document-file/:id',
      'GET /api/functions/patient-implant-card/:id',
      'GET /api/functions/patient-photo-file/:id',
      'GET /api/functions/patient-quote-file/:id',
      'GET /api/functions/patient-receipt-file/:id',
      'GET /api/gallery/:file{[^/]+\\.jpg}',
      'GET /api/hooks/nylas',
      'GET /api/import-templates/:file{[a-z]+\\.(?:csv|xlsx)}',
      'GET /api/imports/:id/errors.csv',
      'GET /api/inbox/attachments/:id/file',
      'GET /api/inbox/messages/:id/mail',
      'GET /api/inbox/pictures/:id',
      'GET /api/mailbox/messages/:id/attachments/:attachmentId',
      'GET /api/mailbox/messages/:id/mail',
      'GET /api/notes/:file{[^/]+\\.pdf}',
      'GET /api/openapi.json',
      'GET /api/photo-consents/:file{[^/]+\\.pdf}',
      'GET /api/photos.pdf',
      'GET /api/photos/:id/:kind',
      'GET /api/photos/:id/original',
      'GET /api/pos/:file{receipts\\.(?:csv|xlsx)}',
      'GET /api/pos/receipts/:file{[^/]+\\.pdf}',
      'GET /api/practice/logo/:file{[^/]+\\.png}',
      'GET /api/quotes/:file{[^/]+\\.pdf}',
      'GET /api/recall-letters/:file{[^/]+\\.pdf}',
      'GET /api/shared-photos/:token/:file{[^/]+\\.jpg}',
      'GET /c/:token/:link',
      'GET /health/live',
      'GET /health/ready',
      'GET /u/:token',
      'OPTIONS /api/leads/:key',
      'POST /api/contacts/:file{export\\.(?:csv|xlsx)}',
      'POST /api/contacts/:id/documents',
      'POST /api/contacts/:id/photos.zip',
      'POST /api/email-templates/preview.html',
      'POST /api/functions/patient-document-upload',
      'POST /api/hooks/nylas',
      'POST /api/hooks/postmark/events',
      'POST /api/hooks/postmark/inbound',
      'POST /api/hooks/stripe',
      'POST /api/hooks/twilio/call',
      'POST /api/hooks/twilio/inbound',
      'POST /api/hooks/twilio/status',
      'POST /api/imports',
      'POST /api/imports/:id/files',
      'POST /api/inbox/pictures',
      'POST /api/leads/:key',
      'POST /api/mailbox/drafts/:id/files',
      'POST /api/photo-series/:id/photos',
      'POST /api/practice/logo',
      'POST /api/verify',
      'POST /u/:token',
    ])
    const pending = await server.account({ status: 'pending' })
    for (const cookie of [undefined, pending.cookie]) {
      for (const path of ['/health/live', '/health/ready', '/api/openapi.json', '/api/docs']) {
        expect([path, (await server.send('GET', path, undefined, cookie)).status]).toEqual([path, 200])
      }
    }
    expect((await server.send('POST', '/api/leads/test-webhook-key', { first_name: 'Ana' })).status).toBe(202)
  })

  it.each(everyone)('%s: allows file uploads and downloads only with permission', async (who) => {
    const cookie = await cookieOf(who)
    const refused = who === 'signed out' ? 401 : 403
    const expectedOutcome = who === 'admin' || who === 'sales_rep' ? null : refused
    const seesDocuments = ['admin', 'sales_rep', 'provider', 'front_desk'].includes(who)
    for (const [method, path] of [
      ['POST', `/api/contacts/${crypto.randomUUID()}/documents?name=a.pdf`],
      ['GET', `/api/documents/${crypto.randomUUID()}/file`],
      ['GET', `/api/documents/${crypto.randomUUID()}/preview`],
    ] as const) {
      const answer = await server.request(path, { method, headers: cookie ? { cookie } : {} })
      expect([path, answer.status]).toEqual([path, seesDocuments ? 404 : refused])
    }
    const isStaff = who !== 'signed out' && who !== 'pending' && who !== 'disabled'
    for (const [method, path, allowed] of [
      ['GET', '/api/mailbox/messages/one/mail', 409], // no mailbox is connected
      ['GET', '/api/mailbox/messages/one/attachments/two', 409],
      ['POST', `/api/mailbox/drafts/${crypto.randomUUID()}/files?name=a.pdf`, 404],
    ] as const) {
      const answer = await server.request(path, { method, headers: cookie ? { cookie } : {} })
      expect([path, answer.status]).toEqual([path, isStaff ? allowed : refused])
    }
    const takesPayments = ['admin', 'sales_rep', 'front_desk', 'billing'].includes(who)
    for (const path of [
      `/api/pos/receipts/${crypto.randomUUID()}.pdf`,
      `/api/contacts/${crypto.randomUUID()}/statement.pdf`,
      `/api/quotes/${crypto.randomUUID()}.pdf`,
    ]) {
      const answer = await server.request(path, { headers: cookie ? { cookie } : {} })
      expect([path, answer.status]).toEqual([path, takesPayments ? 404 : refused])
    }
    const paths = [
      ['POST', '/api/imports?name=a.csv', 422], // the file is empty
      ['GET', `/api/imports/${crypto.randomUUID()}/errors.csv`, 404],
      ['POST', `/api/imports/${crypto.randomUUID()}/files?path=a.pdf`, 404],
      ['GET', '/api/import-templates/tasks.csv', 200],
      ['GET', '/api/import-templates/tasks.xlsx', 200],
      ['GET', `/api/inbox/attachments/${crypto.randomUUID()}/file`, 404],
      ['GET', `/api/inbox/messages/${crypto.randomUUID()}/mail`, 404],
      ['GET', `/api/inbox/pictures/${crypto.randomUUID()}`, 404],
      ['POST', '/api/inbox/pictures?name=a.png', 422], // the file is empty
      ['GET', '/api/contacts/export.csv?columns=nothing', 422],
      ['POST', '/api/contacts/export.csv', 200],
    ] as const
    for (const [method, path, allowed] of paths) {
      const answer = await server.request(path, { method, headers: cookie ? { cookie } : {} })
      expect([path, answer.status]).toEqual([path, expectedOutcome ?? allowed])
    }
    const logo = await server.request('/api/practice/logo', { method: 'POST', headers: cookie ? { cookie } : {} })
    expect(logo.status).toBe(who === 'admin' ? 422 : refused) // the file is empty
    expect((await server.request('/api/practice/logo/none.png', { headers: cookie ? { cookie } : {} })).status).toBe(404)
    const report = await server.request('/api/reports.csv?report=leads', { headers: cookie ? { cookie } : {} })
    // Providers export another report (insight/reports/policy.ts).
    expect(report.status).toBe(['admin', 'sales_rep', 'billing'].includes(who) ? 200 : who === 'provider' ? 404 : refused)
    await report.text()
    for (const [path, roles] of [
      ['/api/tasks', ['admin', 'sales_rep', 'provider', 'front_desk', 'billing']],
      ['/api/appointments', ['admin', 'sales_rep', 'provider', 'front_desk']],
      ['/api/surgeries', ['admin', 'sales_rep', 'provider', 'front_desk']],
      ['/api/collections/outstanding', ['admin', 'sales_rep', 'front_desk', 'billing']],
      ['/api/conversations', ['admin', 'sales_rep']],
      ['/api/audit', ['admin']],
    ] as const) {
      for (const format of ['csv', 'xlsx']) {
        const file = await server.request(`${path}.${format}`, { headers: cookie ? { cookie } : {} })
        expect([path, file.status]).toEqual([path, roles.some((role) => role === who) ? 200 : refused])
        await file.arrayBuffer()
      }
    }
    const record = await server.request(`/api/contacts/${crypto.randomUUID()}/whole-record.zip`, { headers: cookie ? { cookie } : {} })
    expect(record.status).toBe(who === 'admin' ? 404 : refused)
    const receipts = await server.request('/api/pos/receipts.csv', { headers: cookie ? { cookie } : {} })
    expect(receipts.status).toBe(['admin', 'sales_rep', 'front_desk', 'billing'].includes(who) ? 200 : refused)
    await receipts.text()
    const foreign = { method: 'POST', headers: { origin: 'https://elsewhere.example', ...(cookie ? { cookie } : {}) } }
    expect((await server.request('/api/imports?name=a.csv', foreign)).status).toBe(403)
  })

  it('refuses methods that are not listed, such as HEAD, PUT and DELETE on a list', async () => {
    for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      expect([method, (await server.send(method, '/api/contacts')).status]).toEqual([method, 404])
    }
  })
})

describe('ending a session ends its open streams within 5 s (PRODUCT.md, "Getting in")', () => {
  const server = useServer()
  const within = 5_000

  /** Opens a stream and waits until it has received an event. */
  const openOne = async (cookie: string) => {
    const stream = await openStream(server.url, cookie)
    const admin = await server.as('admin')
    const tag = await admin.tags.create({ name: crypto.randomUUID() })
    await stream.next((event) => event.id === tag.id)
    return stream
  }
  const isSignedOut = async (cookie: string) => (await server.send('GET', '/api/tags', undefined, cookie)).status === 401

  it('ends the streams of all sessions of the account on sign-out, and no others', async () => {
    const account = await server.account()
    const second = await server.newSession(account.email)
    const streams = await Promise.all([openOne(account.cookie), openOne(second)])
    const other = await openOne((await server.account()).cookie)
    expect((await server.send('POST', '/api/auth/sign-out', undefined, account.cookie)).status).toBe(200)
    await Promise.all(streams.map((stream) => stream.ended(within)))
    expect(await isSignedOut(second)).toBe(true)
    const tag = await (await server.as('admin')).tags.create({ name: crypto.randomUUID() })
    await other.next((event) => event.id === tag.id)
    other.close()
  })

  it('ends them on a new password', async () => {
    const account = await server.account()
    const stream = await openOne(account.cookie)
    const change = { password: 'another-Long-passphrase', currentPassword: password }
    expect((await server.send('POST', '/api/auth/password', change, account.cookie)).status).toBe(200)
    await stream.ended(within)
    expect(await isSignedOut(account.cookie)).toBe(true)
  })

  it('ends them on a password reset by email', async () => {
    const account = await server.account()
    const stream = await openOne(account.cookie)
    await server.send('POST', '/api/auth/password-reset', { email: account.email })
    const mail = await until(() => server.outbox.messages.find((message) => message.To?.includes(account.email)))
    const token = /token=([^\s&]+)/.exec(mail.TextBody ?? '')?.[1]
    expect((await server.send('POST', '/api/auth/password', { password: 'another-Long-passphrase', token })).status).toBe(200)
    await stream.ended(within)
    expect(await isSignedOut(account.cookie)).toBe(true)
  })

  it('ends them when the session expires', async () => {
    const account = await server.account()
    await server.rows("update sessions set expires_at = now() + interval '1500 milliseconds' where user_id = $1", [account.id])
    const stream = await openOne(account.cookie)
    await stream.ended(within)
  })

  it.each([{ status: 'disabled' as const }, { status: 'pending' as const }, { role: 'billing' as const }])(
    'an administrator who sets %o',
    async (change) => {
      const account = await server.account()
      const stream = await openOne(account.cookie)
      await (await server.as('admin')).people.update({ id: account.id, ...change })
      await stream.ended(within)
      expect(await isSignedOut(account.cookie)).toBe(true)
    },
  )
})
