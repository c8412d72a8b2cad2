import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Language, languageNames } from '../../../../shared/translations.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { SegmentedControl } from '../../../../ui/controls/SegmentedControl.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { RichTextField } from '../../../../ui/rich-text/RichText.tsx'

const languages = (['en', 'fr'] as const).map((value) => ({ value, label: languageNames[value] }))

/** The user's signature under emails, in each language. */
export function SignatureCard() {
  const signatures = useQuery(orpc.signatures.mine.queryOptions())
  const [language, setLanguage] = useState<Language>('en')
  return (
    <Section id="signature" title="Email signature">
      <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
        Added to the end of emails that you write, in the patient’s language. If you write only one, every patient receives it. Emails from
        your own mailbox end with the English one.
      </p>
      <Asked query={signatures} failed="Couldn’t load your signature">
        {(list) => (
          <div className="flex flex-col items-start gap-4 pt-4">
            <SegmentedControl aria-label="Language of the signature" value={language} onValueChange={setLanguage} options={languages} />
            <SignatureForm key={language} language={language} saved={list.find((one) => one.language === language)?.html ?? ''} />
          </div>
        )}
      </Asked>
    </Section>
  )
}

function SignatureForm({ language, saved }: { language: Language; saved: string }) {
  const cache = useQueryClient()
  const [html, setHtml] = useState(saved)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  async function save() {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      const list = await client.signatures.save({ language, html: html === '' ? null : html })
      cache.setQueryData(orpc.signatures.mine.queryKey(), list)
      setHtml(list.find((one) => one.language === language)?.html ?? '')
      toast.success('Signature saved')
    } catch (failure) {
      setError(messageOf(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      noValidate
      className="flex w-full flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Field label={`Signature in ${languageNames[language]}`} error={error}>
        <div className="field-edge rounded-md pb-1">
          <RichTextField
            label={`Signature in ${languageNames[language]}`}
            html={html}
            onChange={setHtml}
            className="min-h-24 px-2.5 py-2 text-lg text-fg md:text-md"
          />
        </div>
      </Field>
      <div>
        <Button type="submit" disabled={html === saved} busy={isBusy} busyLabel="Saving…">
          Save signature
        </Button>
      </div>
    </form>
  )
}
