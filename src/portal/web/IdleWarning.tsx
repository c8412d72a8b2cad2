import { Dialog, DialogBody, DialogFooter } from '../../ui/overlays/Dialog.tsx'
import { PortalButton } from '../../ui/patient/parts.tsx'
import { countdownText } from './labels.ts'
import { useOpener } from './useOpener.ts'

interface IdleWarningProps {
  seconds: number
  onStay: () => void
  onSignOut: () => void
}

/** Shown a minute before the session ends. Closing it counts as activity and extends the session. */
export default function IdleWarning({ seconds, onStay, onSignOut }: IdleWarningProps) {
  const toOpener = useOpener()
  return (
    <Dialog onClose={onStay} onCloseAutoFocus={toOpener} title="You’ll be signed out soon" head={{ isRoomy: true }}>
      <DialogBody className="text-portal">
        <p>
          For your safety you will be signed out in{' '}
          <span role="timer" className="font-semibold tabular-nums">
            {countdownText(seconds)}
          </span>
          .
        </p>
      </DialogBody>
      <DialogFooter>
        <PortalButton onClick={onSignOut}>Sign out</PortalButton>
        <PortalButton variant="filled" onClick={onStay} data-autofocus>
          Stay signed in
        </PortalButton>
      </DialogFooter>
    </Dialog>
  )
}
