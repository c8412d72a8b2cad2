import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, messageOf, orpc } from '../../../ui/client/api.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Alert } from '../../../ui/display/Alert.tsx'
import { Asked } from '../../../ui/display/Section.tsx'
import { Field } from '../../../ui/forms/Field.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { ContactPicker } from '../../../crm/contacts/web/embed/ContactPicker.tsx'
import { mailSandbox } from '../../../platform/mail/frame-rules.ts'
import type { Language } from '../../../shared/translations.ts'
import { describeRefusal, type Variant, variants } from '../rules.ts'
import type { CampaignData } from './campaign-data.ts'
import { messageWords, variantLabels } from './labels.ts'

const names = new Intl.ListFormat('en-CA')
const languages = [
  { value: 'en', label: 'English' },
  { value: 'fr', label: 'French' },
] as const

/** The message as a patient receives it, and of an email a test to oneself. `isSent`: as a sample patient was sent it. */
export function PreviewSection({ campaign, isSent = false }: { campaign: CampaignData; isSent?: boolean }) {
  const [contactId, setContactId] = useState<string | null>(null)
  const [variant, setVariant] = useState<Variant>('a')
  const [language, setLanguage] = useState<Language>('en')
  const [isBusy, setBusy] = useState(false)
  const { id, version, channel } = campaign
  const input = { id, variant, ...(contactId === null ? { language } : { contactId }) }
  // What was scheduled keeps its words when its template is deleted.
  const hasMessage = campaign.templateId !== null || campaign.status !== 'draft'
  const preview = useQuery(orpc.campaigns.preview.queryOptions({ input, placeholderData: keepPreviousData, enabled: hasMessage }))
  if (!hasMessage) return null

  async function sendTest() {
    setBusy(true)
    try {
      const { to } = await client.campaigns.test({ id, variant, language })
      toast.success(`Test sent to ${to}`)
    } catch (error) {
      toast.error('Couldn’t send the test', messageOf(error))
    } finally {
      setBusy(false)
    }
  }

  const address = `/api/campaigns/${id}/preview.html?${new URLSearchParams({ variant, ...(contactId === null ? { language } : { contactId }) })}`
  return (
    <section aria-labelledby="preview" className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="preview" className="text-md font-semibold text-fg">
          {isSent ? 'Message' : 'Preview'}
        </h2>
        {channel === 'email' && !isSent && (
          <Button busy={isBusy} busyLabel="Sending…" onClick={() => void sendTest()}>
            Send test to me
          </Button>
        )}
      </div>
      <div className="flex flex-wrap items-end gap-3">
        {!isSent && (
          <Field label="For" className="min-w-56 flex-1">
            <ContactPicker value={contactId} onValueChange={setContactId} placeholder="A sample patient" clearable />
          </Field>
        )}
        {contactId === null && <SegmentedControl aria-label="Language" value={language} onValueChange={setLanguage} options={languages} />}
        {campaign.testPercent !== null && (
          <SegmentedControl
            aria-label="Template"
            value={variant}
            onValueChange={setVariant}
            options={variants.map((value) => ({ value, label: variantLabels[value] }))}
          />
        )}
      </div>
      <Asked query={preview} failed="Couldn’t create the preview">
        {(data) => (
          <>
            {data.refusedFor && (
              <Alert tone="warning" title="This patient would not receive it.">{`${describeRefusal(data.refusedFor, channel)}.`}</Alert>
            )}
            {data.missing.length > 0 && (
              <Alert tone="warning" title={`${names.format(data.missing)} ${data.missing.length === 1 ? 'has' : 'have'} no value.`}>
                The {messageWords[channel].one} would have a gap in its place.
              </Alert>
            )}
            {channel === 'text' ? (
              <figure className="max-w-90">
                <p className="rounded-lg bg-active px-4 py-3 text-md wrap-anywhere whitespace-pre-wrap text-fg">{data.text}</p>
                <figcaption className="pt-2 text-xs text-fg-3">
                  {data.segments} {data.segments === 1 ? 'segment' : 'segments'}
                </figcaption>
              </figure>
            ) : (
              <div className="min-w-0 overflow-hidden rounded-md border border-line">
                <p className="border-b border-line px-3 py-2 text-sm font-semibold wrap-anywhere text-fg">
                  <span className="sr-only">Subject: </span>
                  {data.subject}
                </p>
                <iframe
                  key={`${version} ${address}`}
                  src={address}
                  title="The email as a patient sees it"
                  sandbox={mailSandbox}
                  referrerPolicy="no-referrer"
                  className="block h-100 w-full bg-white"
                />
              </div>
            )}
          </>
        )}
      </Asked>
    </section>
  )
}
