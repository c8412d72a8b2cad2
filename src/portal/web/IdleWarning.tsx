import { Dialog, DialogBody, DialogFooter } from '../../ui/overlays/Dialog.tsx'
import { PortalButton } from '../../ui/patient/parts.tsx'
import { countdownText } from './labels.ts'
import { useOpener } from './useOpener.ts'

const defaultWords = {
  idleTitle: 'You’ll be signed out soon',
  idle: 'For your safety you will be signed out in',
  signOut: 'Sign out',
  stay: 'Stay signed in',
}

interface IdleWarningProps {
  seconds: number
  onStay: () => void
  onSignOut: () => void
  /** In the patient's language; English unless stated. */
  words?: typeof defaultWords
}

/** Shown before the session ends. Closing it counts as activity and extends the session. */
export default function IdleWarning({ seconds, onStay, onSignOut, words = defaultWords }: IdleWarningProps) {
  const toOpener = useOpener()
  return (
    <Dialog onClose={onStay} onCloseAutoFocus={toOpener} title={words.idleTitle} head={{ isRoomy: true }}>
      <DialogBody className="text-portal">
        <p>
          {words.idle}{' '}
          <span role="timer" className="font-semibold tabular-nums">
            {countdownText(seconds)}
          </span>
          .
        </p>
      </DialogBody>
      <DialogFooter>
        <PortalButton onClick={onSignOut}>{words.signOut}</PortalButton>
        <PortalButton variant="filled" onClick={onStay} data-autofocus>
          {words.stay}
        </PortalButton>
      </DialogFooter>
    </Dialog>
  )
}
