import { fieldLabels } from '../../crm/contacts/rules.ts'
import type { ColumnRules } from './column-rules.ts'
import { importFields } from './contract.ts'

const ownLabels: Record<string, string> = { fullName: 'Full name', tags: 'Tags' }

/** Columns of patients, as HubSpot, Salesforce, Jane and others export them. */
export const patientColumns: ColumnRules = {
  labels: new Map(importFields.patients.map((field) => [field, ownLabels[field] ?? fieldLabels[field]!])),
  dates: ['nextFollowUpDate', 'lastContactDate', 'specialistResultsDate', 'surgicalDate', 'appointmentDate'],
  synonyms: {
    firstName: ['first', 'given name', 'forename', 'legal first name', 'patient first name', 'preferred first name', 'vorname', 'prénom'],
    lastName: ['last', 'surname', 'family name', 'legal last name', 'patient last name', 'nachname', 'nom'],
    fullName: ['name', 'contact name', 'patient', 'patient name', 'client', 'client name', 'customer name', 'lead name', 'contact'],
    email: ['e-mail', 'email address', 'e-mail address', 'primary email', 'work email', 'mail', 'contact email', 'patient email'],
    phone: [
      'phone number',
      'mobile phone',
      'mobile phone number',
      'mobile',
      'cell phone',
      'cell',
      'primary phone',
      'home phone',
      'telephone',
      'tel',
      'work phone',
      'whatsapp phone number',
    ],
    funnelStage: ['funnel stage', 'pipeline stage', 'deal stage', 'lifecycle stage', 'lead stage', 'lead status'],
    leadSource: ['source', 'original source', 'original traffic source', 'referral source', 'how did you hear about us', 'heard about us'],
    procedureOfInterest: ['procedure', 'treatment', 'treatment of interest', 'interest', 'service', 'interested in'],
    assignedSalesRepId: [
      'contact owner',
      'lead owner',
      'account owner',
      'sales rep',
      'assigned to',
      'assigned sales rep',
      'coordinator',
      'patient coordinator',
    ],
    assignedProviderId: ['assigned provider', 'practitioner', 'primary practitioner', 'surgeon', 'doctor', 'physician', 'staff member'],
    tags: ['tag', 'labels', 'label', 'lists', 'groups', 'segments'],
    nextFollowUpDate: ['next follow up date', 'follow up', 'follow up date', 'next activity date', 'next step date'],
    lastContactDate: ['last contact date', 'last contacted', 'last activity date', 'last activity', 'last visit', 'last appointment'],
    consentToCommunicate: ['consent', 'marketing consent', 'opt in', 'email opt in', 'marketing email', 'legal basis', 'subscribed'],
    status: ['patient status', 'contact status'],
    address: ['street address', 'mailing street', 'street', 'address line 1', 'address 1', 'mailing address', 'home address'],
    city: ['mailing city', 'town', 'home city'],
    state: ['state', 'state/region', 'region', 'mailing state', 'mailing state/province', 'state/province', 'home province'],
    zipCode: ['zip', 'zip code', 'postal', 'postcode', 'mailing zip', 'mailing zip/postal code', 'zip/postal code', 'home postal code'],
    company: ['company name', 'account name', 'organization', 'organisation', 'employer', 'associated company'],
    title: ['job title', 'position', 'occupation', 'role'],
    notes: ['note', 'comments', 'comment', 'description', 'patient notes', 'remarks', 'message'],
    revenueCents: ['total revenue', 'amount', 'lifetime value', 'deal amount', 'value', 'total spent'],
    surgicalDate: ['surgery date', 'date of surgery', 'operation date'],
    appointmentDate: ['next appointment', 'consult date', 'consultation date'],
    appointmentTime: ['consult time', 'consultation time'],
    appointmentLocation: ['location', 'clinic location'],
    weightLossMedication: ['medication', 'glp-1', 'weight loss medication'],
    requiresSpecialistConsult: ['requires specialist consult'],
    specialistConsultType: [],
    specialistConsultReason: [],
    specialistResultsReceived: [],
    specialistResultsDate: [],
    specialistNotes: [],
  },
  problem(fields) {
    const [hasWhole, hasFirst, hasLast] = [fields.has('fullName'), fields.has('firstName'), fields.has('lastName')]
    if (hasWhole && (hasFirst || hasLast)) return 'Choose either the whole name or its parts'
    return hasWhole || (hasFirst && hasLast) ? null : 'Choose the columns of the first and the last name, or the one of the whole name'
  },
}
