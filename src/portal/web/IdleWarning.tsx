import { Dialog, DialogBody, DialogFooter } from '../../ui/overlays/Dialog.tsx'
import { PortalButton } from '../../ui/patient/parts.tsx'
import { useTexts } from '../../ui/patient/language.ts'
import { frameTexts } from '../../ui/patient/texts.ts'
import { countdownText } from './labels.ts'
import { portalTexts } from './texts.ts'
import { useOpener } from './useOpener.ts'

interface IdleWarningProps {
  seconds: number
  onStay: () => void
  onSignOut: () => void
  /** Those of the portal unless stated. */
  words?: { title: string; text: string; stay: string }
}

/** Shown before the session ends. Closing it counts as activity and extends the session. */
export default function IdleWarning({ seconds, onStay, onSignOut, words }: IdleWarningProps) {
  const t = useTexts(portalTexts)
  const frame = useTexts(frameTexts)
  const { title, text, stay } = words ?? { title: t('idleTitle'), text: t('idleSoon'), stay: t('stay') }
  const toOpener = useOpener()
  return (
    <Dialog onClose={onStay} onCloseAutoFocus={toOpener} title={title} head={{ isRoomy: true, closeLabel: frame('close') }}>
      <DialogBody className="text-portal">
        <p>
          {text}{' '}
          <span role="timer" className="font-semibold tabular-nums">
            {countdownText(seconds)}
          </span>
          .
        </p>
      </DialogBody>
      <DialogFooter>
        <PortalButton onClick={onSignOut}>{frame('signOut')}</PortalButton>
        <PortalButton variant="filled" onClick={onStay} data-autofocus>
          {stay}
        </PortalButton>
      </DialogFooter>
    </Dialog>
  )
}
