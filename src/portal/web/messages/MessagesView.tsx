import { useEffect, useRef, useState } from 'react'
import { ownLimits } from '../../../messages/inbox/rules.ts'
import { formatClockTime, formatMediumDay } from '../../../shared/translations.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { Badge } from '../../../ui/display/Badge.tsx'
import { useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { Card, charactersOver, ErrorLine, PortalButton, PortalSkeleton, PortalTextArea } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { codeOf, isSessionOver, type PatientSession } from '../calls.ts'
import type { TrackedCall } from '../quotes/useQuotes.ts'
import { useFocusOnArrival } from '../useFocusOnArrival.ts'
import { type MessageProblem, messagesTexts } from './texts.ts'
import { type MessageData, useMessages } from './useMessages.ts'

interface MessagesViewProps {
  session: PatientSession
  callTracked: TrackedCall
  /** What is written and not sent, kept while the patient looks at other parts of the portal. */
  draft: string
  onDraft: (draft: string) => void
}

/** The conversation with the practice. */
export default function MessagesView({ session, callTracked, draft, onDraft }: MessagesViewProps) {
  const language = useLanguage()
  const t = messagesTexts[language]
  const own = useMessages(session, callTracked)
  const { messages } = own
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(title)

  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {t('title')}
      </h1>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">
        {t('intro')} {t('urgent')}
      </p>
      <Card className="mt-6 flex flex-col gap-5">
        {messages === null && <PortalSkeleton rows={3} />}
        {messages === 'failed' && (
          <div className="flex flex-col items-start gap-4">
            <ErrorLine>{t('failed')}</ErrorLine>
            <PortalButton onClick={own.retry}>{frameTexts[language]('tryAgain')}</PortalButton>
          </div>
        )}
        {Array.isArray(messages) && (
          <>
            {messages.length === 0 ? (
              <p className="text-portal text-fg-2">{t('none')}</p>
            ) : (
              <MessageList messages={messages} onOlder={own.hasOlder ? own.loadOlder : undefined} />
            )}
            <Composer text={draft} onText={onDraft} send={own.send} />
          </>
        )}
      </Card>
    </>
  )
}

function MessageList({ messages, onOlder }: { messages: readonly MessageData[]; onOlder: (() => Promise<void>) | undefined }) {
  const t = useTexts(messagesTexts)
  const [isBusy, setBusy] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const lastId = messages.at(-1)?.id
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [lastId])
  return (
    <>
      {onOlder && (
        <PortalButton
          className="self-center"
          busy={isBusy}
          busyLabel={t('loading')}
          onClick={() => {
            setBusy(true)
            void onOlder()
              .catch(() => undefined)
              .finally(() => setBusy(false))
          }}
        >
          {t('earlier')}
        </PortalButton>
      )}
      <ol aria-label={t('list')} className="flex flex-col gap-4">
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ol>
      <div ref={end} className="scroll-mb-80" />
    </>
  )
}

function Message({ message: { isOwn, text, createdAt, isNew } }: { message: MessageData }) {
  const { name, timeZone } = usePractice()
  const language = useLanguage()
  const t = messagesTexts[language]
  return (
    <li className={cn('flex max-w-[85%] flex-col gap-1 md:max-w-[75%]', isOwn ? 'items-end self-end' : 'items-start self-start')}>
      <p className="flex flex-wrap items-center gap-x-2 text-md text-fg-2">
        <span className="font-semibold text-fg">{isOwn ? t('you') : name}</span>
        <time dateTime={createdAt}>
          {t('at', { day: formatMediumDay(createdAt, language, timeZone), time: formatClockTime(createdAt, language, timeZone) })}
        </time>
        {isNew && <Badge tone="accent">{t('new')}</Badge>}
      </p>
      <p
        className={cn(
          'rounded-lg border px-4 py-2.5 text-portal leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]',
          isOwn ? 'border-transparent bg-accent-soft' : 'border-line-2 bg-surface',
        )}
      >
        {text}
      </p>
    </li>
  )
}

interface ComposerProps {
  text: string
  onText: (text: string) => void
  send: (text: string) => Promise<void>
}

function Composer({ text, onText, send }: ComposerProps) {
  const t = useTexts(messagesTexts)
  const field = useRef<HTMLTextAreaElement>(null)
  const [problem, setProblem] = useState<MessageProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isSent, setSent] = useState(false)

  function write(typed: string) {
    onText(typed)
    setProblem(null)
    setSent(false)
  }
  async function submit() {
    if (isBusy) return
    const words = text.trim()
    if (charactersOver(text, ownLimits.text) > 0) return field.current?.focus()
    if (words === '') {
      setProblem('empty')
      field.current?.focus()
      return
    }
    setBusy(true)
    setProblem(null)
    try {
      await send(words)
      write('')
      setSent(true)
    } catch (error) {
      if (isSessionOver(error)) return
      const code = codeOf(error)
      setProblem(code === null ? 'lost' : code === 'TOO_MANY_REQUESTS' ? code : 'unexpected')
    } finally {
      setBusy(false)
      field.current?.focus({ preventScroll: true })
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-3 border-t border-line pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <PortalTextArea
        ref={field}
        label={t('write')}
        rows={3}
        value={text}
        limit={ownLimits.text}
        error={problem && t(`problems.${problem}`)}
        readOnly={isBusy}
        onChange={({ target }) => write(target.value)}
        className="field-sizing-content max-h-80 min-h-28 resize-none"
      />
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        <p role="status" className="text-md text-fg-2">
          {isSent ? t('sent') : ''}
        </p>
        <PortalButton type="submit" variant="filled" busy={isBusy} busyLabel={t('sending')} className="max-md:w-full">
          {t('send')}
        </PortalButton>
      </div>
    </form>
  )
}
