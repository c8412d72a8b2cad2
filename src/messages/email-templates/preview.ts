import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Language } from '../../shared/translations.ts'
import type { PreviewInput } from './contract.ts'
import {
  frenchSampleAppointment,
  frenchSampleBalance,
  frenchSamplePatient,
  htmlFromText,
  missingOf,
  namesLeftOut,
  render,
  renderSubject,
  sampleAppointment,
  sampleBalance,
  samplePatient,
  type TemplateValues,
  valuesFor,
} from './rules.ts'
import { plainText } from '../inbox/text-rules.ts'
import { findClinicalWords } from './clinical-words.ts'
import { company, valuesOfContact } from './values.ts'

/**
 * A draft with the values of a patient or of a sample patient. NO_CONTACT: the patient does not exist. Appointment and balance variables
 * are missing for a real patient, because the text previewed here is sent as a reply, which concerns neither.
 */
export async function previewTemplate(scope: Scope, { channel, subject, body, variables, language, contactId }: PreviewInput) {
  const values = contactId === null ? sampleValues(scope, language) : await seenValues(scope, contactId, language)
  if (!values) return refuse('NO_CONTACT')
  if (channel === 'text') {
    const clinicalWords = await findClinicalWords(scope.db, scope.env, render(body, namesLeftOut(values), 'text'))
    return { subject: '', text: plainText(render(body, values, 'text')), html: '', missing: missingOf(body, values), clinicalWords }
  }
  const html = variables.html_content?.trim() ? variables.html_content : htmlFromText(body)
  return {
    subject: renderSubject(subject, values),
    text: render(body, values, 'text'),
    html: render(html, values, 'html'),
    missing: missingOf([subject, body, html], values),
    clinicalWords: [],
  }
}

const sampleValues = ({ env }: Scope, language: Language): TemplateValues =>
  language === 'fr'
    ? { ...valuesFor(frenchSamplePatient, company(env)), ...frenchSampleAppointment, ...frenchSampleBalance }
    : { ...valuesFor(samplePatient, company(env)), ...sampleAppointment, ...sampleBalance }

/** Records that the values were viewed. */
async function seenValues(scope: Scope, contactId: string, language: Language): Promise<TemplateValues | null> {
  const view = scope.recordView({ kind: 'contact', contactIds: [contactId] })
  const [values] = await Promise.all([valuesOfContact(scope.db, scope.env, contactId, language), view])
  return values
}
