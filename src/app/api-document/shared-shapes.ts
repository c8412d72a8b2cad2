import { type ApiDocument, type Operation, operationsOf, type Parameter, type Response, type Schema } from './types.ts'

/**
 * The shapes that several calls share, each with a place where it occurs: a call, `<` for its body instead of its result, and the way from
 * there; a number is one of several variants. A generated client names its types after them, so a name stays.
 */
const places = {
  Account: 'auth.signIn:',
  ApiKey: 'apiKeys.list:[]',
  AdverseEvent: 'adverseEvents.get:',
  AdverseEventPatient: 'adverseEvents.get:contact',
  AdverseEventSurgery: 'adverseEvents.get:surgery',
  Appointment: 'appointments.get:',
  Dispute: 'disputes.get:',
  DisputeEvidence: 'disputes.get:evidence',
  DisputeEvidencePayment: 'disputes.get:evidence.payment',
  PayLink: 'payLinks.view:',
  VisitFee: 'visitFees.ofAppointment:0.fee.0',
  VisitMoney: 'visitFees.ofAppointment:0',
  Payout: 'payouts.get:',
  PayoutDeposit: 'payouts.get:deposit',
  PayoutDifference: 'payouts.get:differences[]',
  AppointmentLink: 'appointmentLinks.view:',
  Equipment: 'availability.equipment:[]',
  SubscribedCalendar: 'subscribedCalendars.list:[]',
  WaitingListEntry: 'waitingList.add:',
  WaitingListOffer: 'waitingList.add:offers[]',
  OfferedTime: 'waitingOffers.view:',
  WaitingPlace: 'waitingOffers.place:',
  Attribution: 'contacts.get:firstAttribution',
  Balance: 'collections.account:',
  BookedPatient: 'appointments.get:contact',
  BookedPatientNamesake: 'appointments.get:contact.namesakes[]',
  BalanceAgeing: 'collections.account:ageing',
  BalanceCharge: 'collections.account:charges[]',
  BalanceDeposit: 'collections.account:deposits[]',
  BalanceEntry: 'collections.account:entries[]',
  BalanceNote: 'collections.account:notes[]',
  BalancePayment: 'collections.account:payments[]',
  BalancePortion: 'collections.account:portions[]',
  PrepaidBalance: 'prepaid.ofContact:[]',
  PrepaidEntry: 'prepaid.ofContact:[].entries[]',
  AutomaticPayments: 'savedCards.automatic:',
  BulkChange: 'bulkChanges.get:',
  CalendarFeed: 'calendarFeeds.create:feed',
  Consent: 'consent.get:entries[]',
  ConsentForm: 'consentForms.send:',
  ConsentFormDefinition: 'consentForms.template:draft.definition',
  ConsentFormTemplate: 'consentForms.template:',
  ConsentFormText: 'consentForms.get:text',
  ConsentFormVersion: 'consentForms.template:draft',
  ConsentLedger: 'consent.get:',
  Contact: 'contacts.get:',
  ContactBatch: 'contacts.batch:',
  ContactMatch: 'duplicates.similar:[]',
  ContactName: 'collections.outstanding:data[].contact',
  ContactOnBoard: 'contacts.boardColumn:data[]',
  ContactRow: 'contacts.list:data[]',
  ClinicalNote: 'notes.get:',
  ClinicalNoteSection: 'notes.get:sections[]',
  ClinicalNoteTemplate: 'notes.templates:[]',
  ContactToCall: 'tasks.get:contact',
  Conversation: 'inbox.change:',
  Device: 'devices.list:data[]',
  DeviceStock: 'devices.get:',
  Implant: 'implants.ofContact:[]',
  SurgeryDevice: 'implants.ofSurgery:devices[]',
  SurgeryDevices: 'implants.ofSurgery:',
  Campaign: 'campaigns.get:',
  Recall: 'recalls.get:',
  RecallPatient: 'recalls.addAttempt:',
  SequenceRun: 'sequences.control:',
  SequenceDefinition: 'sequences.get:draft',
  SequenceTaskStep: 'sequences.get:draft.steps[].2',
  SequenceTaskStepToSave: 'sequences.create<:draft.steps[].2',
  SequenceWaitStep: 'sequences.get:draft.steps[].3',
  SequenceHealth: 'sequences.get:health',
  SequenceFigures: 'sequences.get:funnel.entered',
  SequenceDifference: 'sequences.get:funnel.booking',
  RecalledDevice: 'recalls.find:data[].devices[]',
  Document: 'documents.list:[]',
  PortalAppointment: 'portal.fetchHome:appointments[]',
  PortalHome: 'portal.fetchHome:',
  DocumentOfPortal: 'portal.fetchDocuments:documents[]',
  EmailDraft: 'mailbox.draft:',
  EmailDraftFile: 'mailbox.draft:files[]',
  EmailPerson: 'mailbox.saveDraft<:to[]',
  EmailTemplate: 'emailTemplates.get:',
  HealthCard: 'healthCards.get:card',
  Photo: 'photos.ofContact:[].photos[]',
  PhotoLayer: 'photos.layers:[]',
  PhotoSeries: 'photos.seriesOfContact:[]',
  PhotoUses: 'photoUses.ofContact:',
  PhotoUse: 'photoUses.ofContact:uses[]',
  PhotoConsent: 'photoUses.ofContact:consents[]',
  PhotoLink: 'photoUses.ofContact:links[]',
  PhotoRelease: 'photoUses.ofContact:releases[]',
  Portrait: 'portraits.get:portrait',
  SafetyChecklist: 'safetyChecklists.get:',
  SafetyChecklistAnswer: 'safetyChecklists.get:answers[]',
  SafetyChecklistPhase: 'safetyChecklists.get:phases[]',
  SafetyPhaseState: 'surgeries.get:safety[]',
  FormDefinition: 'forms.get:definition',
  FormReview: 'forms.review:',
  FormReviewItem: 'forms.review:items[]',
  FormQuestion: 'forms.get:definition.sections[].questions[]',
  FormRedFlag: 'forms.get:definition.sections[].questions[].redFlag',
  FormScaleEnds: 'forms.get:definition.sections[].questions[].ends',
  FormSection: 'forms.get:definition.sections[]',
  FormTemplate: 'forms.template:',
  FormVersion: 'forms.template:draft',
  FunnelStage: 'pipeline.stages:[]',
  HealthEntry: 'health.get:entries[]',
  HealthSummary: 'health.get:',
  Import: 'imports.get:',
  ImportCheck: 'imports.get:checked',
  ImportColumn: 'imports.get:columns[]',
  ImportField: 'imports.get:columns[].field',
  ImportResult: 'imports.get:result',
  Instalment: 'collections.account:charges[].plan[]',
  Interaction: 'interactions.list:data[]',
  InternalNote: 'inbox.addNote:',
  Invitation: 'people.invitations:[]',
  LatestMessage: 'inbox.unreadOfContact:data[]',
  Lead: 'leads.retry:',
  LeadFieldMap: 'leads.fields:fieldMap',
  LeadSource: 'leadSources.list:[]',
  Location: 'practice.locations:[]',
  Mailbox: 'mailbox.connection:',
  MedianTime: 'dashboard.get:firstResponse',
  Notification: 'notifications.list:data[]',
  NotificationTask: 'notifications.list:data[].metadata',
  OpeningHours: 'practice.hours:[]',
  PasskeyProof: 'auth.passkeySignIn<:passkey',
  PasskeySignature: 'auth.passkeySignIn<:passkey.response',
  PortalForm: 'portal.fetchForm:',
  PortalQuote: 'portal.fetchQuotes:quotes[]',
  PortalQuotes: 'portal.fetchQuotes:',
  PracticeDetails: 'practice.settings:set',
  PracticeSettings: 'practice.settings:',
  PriceList: 'procedures.priceList:',
  PriceListLine: 'procedures.priceList:prices[]',
  Procedure: 'procedures.list:[]',
  QuickBooksCustomer: 'pos.customerOfContact:customer',
  QuickBooksStatus: 'quickbooks.status:',
  Quote: 'quotes.get:',
  QuoteFinancing: 'quotes.get:financing',
  QuoteInstalment: 'quotes.get:instalments[]',
  QuoteLine: 'quotes.get:lines[]',
  QuoteLineToSave: 'quotes.change<:lines[]',
  QuoteSurgery: 'quotes.get:surgery',
  QuoteTax: 'quotes.get:taxes[]',
  Receipt: 'pos.cancel:',
  ReceiptLine: 'pos.receipt:lines[]',
  ReceiptTax: 'pos.receipt:taxes[]',
  ReportPeriod: 'reports.save:ask.period',
  ReportQuestion: 'reports.save:ask',
  ReportQuestionToSave: 'reports.save<:ask',
  ReportSchedule: 'reports.save:schedule',
  RetentionRule: 'retention.set:',
  Room: 'practice.rooms:[]',
  SavedReport: 'reports.save:',
  SavedView: 'savedViews.get:',
  SavedViewQuery: 'savedViews.get:list',
  SentForm: 'forms.send:',
  SessionLife: 'auth.activity:',
  StaffMember: 'people.accounts:[]',
  StoredReceipt: 'pos.createReceipt:',
  Surgery: 'surgeries.get:',
  SurgeryItem: 'surgeries.get:items[]',
  SurgeryMissingItem: 'surgeries.get:missing[]',
  SurgeryTemplate: 'surgeries.templates:[]',
  Tag: 'tags.list:[]',
  Task: 'tasks.get:',
  TaskAssignee: 'tasks.get:assignees[]',
  TestResult: 'connections.test:',
  VisitType: 'availability.visitTypes:[]',
  Webhook: 'webhooks.list:[]',
  WebhookDelivery: 'webhooks.retry:',
  WebhookWithSecret: 'webhooks.create:',
} as const satisfies Record<string, string>

/** Puts each shared shape into `components.schemas` once, and a reference in its place everywhere else. */
export function shareShapes({ paths, components, ...rest }: ApiDocument): ApiDocument {
  const operations = new Map(operationsOf({ paths }).map(({ operation }) => [operation.operationId, operation]))
  const shapes = Object.entries(places).map(([name, place]): [string, Schema] => [name, schemaAt(operations, place)])
  const names = new Map(shapes.map(([name, shape]) => [keyOf(shape), name]))

  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share)
    if (typeof value !== 'object' || value === null) return value
    const schema: Schema = value
    const name = schema.type === 'object' || schema.enum ? names.get(keyOf(schema)) : undefined
    if (name === undefined) return inside(schema)
    const { description } = schema
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) }
  }
  const inside = <Value extends object>(value: Value): Value =>
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, share(inner)])) as Value

  const shared = Object.fromEntries(shapes.map(([name, shape]) => [name, inside(plain(shape))]))
  return { ...rest, paths: inside(paths), components: { ...components, schemas: { ...components.schemas, ...shared } } }
}

/** How many calls must have a parameter for it to be shared. */
const minUses = 3

/** Puts each parameter of several calls into `components.parameters`. Of those with the same name and place, that is the most frequent one. */
export function shareParameters(document: ApiDocument): ApiDocument {
  const all = operationsOf(document).flatMap(({ operation }) => (operation.parameters ?? []).filter((parameter) => 'name' in parameter))
  const uses = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  const names = new Map<string, string>()
  const shared: Record<string, Parameter> = {}
  for (const [key, [parameter, ...others]] of [...uses].toSorted(([, a], [, b]) => b.length - a.length)) {
    if (!parameter || others.length + 1 < minUses) continue
    const name = `${parameter.name}${parameter.in === 'path' ? 'InPath' : ''}`
    if (shared[name]) continue
    shared[name] = parameter
    names.set(key, name)
  }
  for (const { operation } of operationsOf(document))
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = names.get(JSON.stringify(parameter))
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` }
    })
  return { ...document, components: { ...document.components, parameters: { ...document.components.parameters, ...shared } } }
}

/** Where a schema is used says what it means there: its description is no part of the shape. */
const plain = ({ description: _, default: __, ...shape }: Schema): Schema => shape
const keyOf = (schema: Schema): string => JSON.stringify(plain(schema))

/** Throws if the place does not exist (any more). */
function schemaAt(operations: ReadonlyMap<string, Operation>, place: string): Schema {
  const [call = '', way = ''] = place.split(':')
  const operation = operations.get(call.replace('<', ''))
  const content = call.endsWith('<') ? operation?.requestBody : (Object.values(operation?.responses ?? {})[0] as Response | undefined)
  const variantsOf = (schema: Schema | undefined) => [schema, ...(schema?.anyOf ?? [])]
  let schema = content?.content?.['application/json']?.schema
  for (const step of way.match(/\[\]|\w+/g) ?? [])
    schema = /^\d+$/.test(step)
      ? schema?.anyOf?.[Number(step)]
      : variantsOf(schema)
          .map((one) => (step === '[]' ? one?.items : one?.properties?.[step]))
          .find(Boolean)
  const shape = variantsOf(schema).find((one) => one?.type === 'object' || one?.enum)
  if (!shape) throw new Error(`The API has no shape at ${place}`)
  return shape
}
