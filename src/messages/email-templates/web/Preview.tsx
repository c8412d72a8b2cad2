import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { Alert } from '../../../ui/display/Alert.tsx'
import { cn } from '../../../ui/cn.ts'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { useDebounced } from '../../../ui/hooks/useDebounced.ts'
import { mailSandbox } from '../../../platform/mail/frame-rules.ts'
import type { Language } from '../../../shared/translations.ts'
import { TextSize } from '../../inbox/web/embed/TextSize.tsx'
import { clinicalProblem } from '../clinical-rules.ts'
import { templateLanguage } from '../rules.ts'
import type { Draft } from './draft.ts'

/** Milliseconds without a key before the preview is rendered. */
const pause = 400

type Shown = 'desktop' | 'phone' | 'text'
const choices = [
  { value: 'desktop' as const, label: 'Desktop', icon: <Monitor /> },
  { value: 'phone' as const, label: 'Phone', icon: <Smartphone /> },
  { value: 'text' as const, label: 'Text' },
]
const names = new Intl.ListFormat('en-CA')

/** A preview of what a patient gets. */
export function Preview({ draft }: { draft: Draft }) {
  return draft.channel === 'text' ? <TextPreview draft={draft} /> : <EmailPreview draft={draft} />
}

/** The text message on a phone, and its size with the values filled in. */
function TextPreview({ draft: { name, body } }: { draft: Draft }) {
  const debounced = useDebounced(JSON.stringify({ channel: 'text', body, language: templateLanguage(name) }), pause)
  const input = JSON.parse(debounced) as { channel: 'text'; body: string; language: Language }
  const preview = useQuery(orpc.emailTemplates.preview.queryOptions({ input, placeholderData: keepPreviousData }))
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
      <h3 className="text-sm font-medium text-fg">Preview</h3>
      {preview.data ? (
        <>
          {preview.data.clinicalWords.length > 0 && (
            <Alert tone="danger" title="A text message has no clinical words.">
              {clinicalProblem(preview.data.clinicalWords)}
            </Alert>
          )}
          <Missing missing={preview.data.missing} />
          <div className="flex min-h-40 flex-col items-end justify-end gap-1 rounded-md border border-line bg-subtle p-4">
            {preview.data.text.trim() === '' ? (
              <p className="self-center text-sm text-fg-3">No text yet</p>
            ) : (
              <>
                <p className="max-w-[85%] rounded-lg bg-accent-soft px-3 py-2 text-md wrap-anywhere whitespace-pre-wrap text-fg">
                  {preview.data.text}
                </p>
                <TextSize text={preview.data.text} />
              </>
            )}
          </div>
        </>
      ) : preview.error ? (
        <ErrorState title="Couldn’t create the preview" onRetry={() => void preview.refetch()} retrying={preview.isFetching}>
          {messageOf(preview.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex min-h-40 flex-col gap-3">
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
        </div>
      )}
    </section>
  )
}

/** The email on a wide screen, on a phone, or as plain text. */
function EmailPreview({ draft: { name, subject, body, html } }: { draft: Draft }) {
  const [shown, setShown] = useState<Shown>('desktop')
  const debounced = useDebounced(
    JSON.stringify({ subject, body, language: templateLanguage(name), variables: { html_content: html === '' ? null : html } }),
    pause,
  )
  const input = JSON.parse(debounced) as { subject: string; body: string; language: Language; variables: { html_content: string | null } }
  const preview = useQuery(orpc.emailTemplates.preview.queryOptions({ input, placeholderData: keepPreviousData }))
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-medium text-fg">Preview</h3>
        <SegmentedControl aria-label="Shown as" value={shown} onValueChange={setShown} options={choices} />
      </div>
      {preview.data ? (
        <>
          <Missing missing={preview.data.missing} />
          <div className="min-w-0 overflow-hidden rounded-md border border-line">
            <p className="border-b border-line px-3 py-2 text-sm font-semibold wrap-anywhere text-fg">
              <span className="sr-only">Subject: </span>
              {preview.data.subject || <span className="font-regular text-fg-3">No subject yet</span>}
            </p>
            {shown === 'text' ? (
              <p className="max-h-120 min-h-80 overflow-y-auto p-3 text-sm wrap-anywhere whitespace-pre-wrap text-fg">
                {preview.data.text}
              </p>
            ) : (
              <div className="overflow-x-auto bg-subtle">
                <Frame
                  key={debounced}
                  body={input.body}
                  html={input.variables.html_content ?? ''}
                  language={input.language}
                  isNarrow={shown === 'phone'}
                />
              </div>
            )}
          </div>
        </>
      ) : preview.error ? (
        <ErrorState title="Couldn’t create the preview" onRetry={() => void preview.refetch()} retrying={preview.isFetching}>
          {messageOf(preview.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex min-h-90 flex-col gap-3">
          <Skeleton className="w-1/2" />
          <Skeleton className="w-2/3" />
        </div>
      )}
    </section>
  )
}

function Missing({ missing: { unknown, empty } }: { missing: { unknown: readonly string[]; empty: readonly string[] } }) {
  if (unknown.length === 0 && empty.length === 0) return null
  return (
    <Alert
      tone="warning"
      title={unknown.length > 0 ? `${names.format(unknown)} is not a known variable.` : `${names.format(empty)} is empty.`}
    >
      {unknown.length > 0 ? 'The message would show it in braces.' : 'The message would have a gap there.'}
      {unknown.length > 0 && empty.length > 0 && ` Empty: ${names.format(empty)}.`}
    </Alert>
  )
}

/**
 * The email in a sandboxed frame, loaded by a form. Each version has its own frame: reloading the same one would add an entry to the
 * browser history.
 */
function Frame({ body, html, language, isNarrow }: { body: string; html: string; language: Language; isNarrow: boolean }) {
  const name = `preview${useId()}`
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <>
      <form ref={form} hidden method="post" encType="multipart/form-data" action="/api/email-templates/preview.html" target={name}>
        <input type="hidden" name="body" value={body} readOnly />
        <input type="hidden" name="html" value={html} readOnly />
        <input type="hidden" name="language" value={language} readOnly />
      </form>
      <iframe
        name={name}
        title="The email as a patient sees it"
        sandbox={mailSandbox}
        referrerPolicy="no-referrer"
        className={cn('mx-auto block h-120 w-full bg-white', isNarrow && 'max-w-90')}
      />
    </>
  )
}
