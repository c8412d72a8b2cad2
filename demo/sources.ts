import { weighted } from './random.ts'

/** The lead sources of the clinic: the display groups of spec 9. */
export const sourceNames = [
  'Referral',
  'Google Organic',
  'Google Local',
  'Google CPC',
  'Social Media',
  'Website Form',
  'Phone Inquiry',
  'Website',
  'Agency Test',
] as const
export type SourceName = (typeof sourceNames)[number]

/** The webhook key of 'Website Form', for trying out the lead intake. */
export const demoWebhookKey = 'demo-website-form'

/** A patient's source: one of the list, a typed text, or unknown. */
export type Source = {
  name: SourceName | null
  text: string | null
  /** The source whose webhook received the form, at any hour. Null when staff added the patient, in office hours. */
  form: SourceName | null
}

const named = (name: SourceName, form: SourceName | null = 'Website Form'): Source => ({ name, text: form && name, form })
const typed = (text: string, form: SourceName | null = 'Social Media'): Source => ({ name: null, text, form })

const sources: [Source, number][] = [
  [named('Google Organic'), 19],
  [named('Social Media', 'Social Media'), 15],
  [named('Website Form'), 13],
  [named('Google CPC'), 11],
  [named('Google Local'), 8],
  [named('Website'), 6],
  [named('Agency Test', 'Agency Test'), 0.8],
  [named('Referral', null), 30],
  [named('Phone Inquiry', null), 17],
  [typed('TikTok'), 1.5],
  [typed('instagram reel'), 0.8],
  [typed('Facebook lead ad'), 0.8],
  [typed('google ads', 'Website Form'), 0.6],
  [typed('RealSelf'), 0.5],
  [typed('radio ad', null), 1],
  [typed('Walk-in', null), 0.6],
  [typed('phone call', null), 0.4],
  [typed('Oakville wellness fair', null), 0.3],
  [{ name: null, text: null, form: null }, 2],
]
export const pickSource = weighted(sources)
export const pickOnlineSource = weighted(sources.filter(([source]) => source.form))
