import { type ReactNode, useRef, useState } from 'react'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { charactersOver, ErrorLine, PortalButton, PortalTextArea } from '../../../ui/patient/parts.tsx'
import { signingTexts } from '../../../chart/consent-forms/web/embed/texts.ts'
import { signingLimits } from '../../../chart/consent-forms/rules.ts'
import type { Language } from '../../../shared/translations.ts'
import type { Credentials } from '../calls.ts'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { portalTexts } from '../texts.ts'
import { askAbout, decline } from './consent-calls.ts'

interface PanelProps {
  session: Credentials
  consentId: string
  language: Language
  onSent: () => void
  /** Leaves the page if that is why a call was refused; otherwise calls back. */
  onRefused: (error: unknown, otherwise: () => void) => void
  onClose: () => void
}

/** "I have a question". */
export function QuestionPanel(props: PanelProps) {
  const t = signingTexts[props.language]
  return (
    <Panel
      {...props}
      title={t('askTitle')}
      hint={t('askHint')}
      label={t('question')}
      limit={signingLimits.question}
      send={(text) => askAbout(props.session, props.consentId, text)}
      action={t('sendQuestion')}
      busyLabel={t('sending')}
    />
  )
}

/** "Do not sign today". */
export function DeclinePanel(props: PanelProps) {
  const t = signingTexts[props.language]
  return (
    <Panel
      {...props}
      title={t('declineTitle')}
      hint={t('declineHint')}
      label={t('reason')}
      limit={signingLimits.reason}
      send={(text) => decline(props.session, props.consentId, text)}
      action={t('confirmDecline')}
      busyLabel={t('declining')}
    />
  )
}

interface TextPanelProps extends PanelProps {
  title: string
  hint: ReactNode
  label: string
  limit: number
  send: (text: string) => Promise<unknown>
  action: string
  busyLabel: string
}

function Panel({ language, title, hint, label, limit, send, action, busyLabel, onSent, onRefused, onClose }: TextPanelProps) {
  const t = signingTexts[language]
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  async function submit() {
    if (isBusy) return
    if (charactersOver(text, limit) > 0) return field.current?.focus()
    setBusy(true)
    setError(null)
    try {
      await send(text)
      onSent()
    } catch (refused) {
      onRefused(refused, () => {
        setError(portalTexts[language]('problems.unexpected'))
        setBusy(false)
      })
    }
  }
  return (
    <Dialog onClose={onClose} title={title} head={{ isRoomy: true, closeLabel: frameTexts[language]('close') }} dismissible={!isBusy}>
      <DialogBody className="flex flex-col gap-4 text-portal">
        <p className="text-fg-2">{hint}</p>
        {error && <ErrorLine>{error}</ErrorLine>}
        <PortalTextArea
          ref={field}
          label={label}
          data-autofocus
          rows={4}
          limit={limit}
          value={text}
          error={null}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="flex flex-wrap gap-3">
          <PortalButton variant="filled" busy={isBusy} busyLabel={busyLabel} className="max-md:w-full" onClick={() => void submit()}>
            {action}
          </PortalButton>
          <PortalButton disabled={isBusy} className="max-md:w-full" onClick={onClose}>
            {t('back')}
          </PortalButton>
        </div>
      </DialogBody>
    </Dialog>
  )
}
