import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog, DialogBody, DialogFooter } from '../../../ui/overlays/Dialog.tsx'
import { useSignOut } from './useSignOut.ts'

interface SessionEndDialogProps {
  seconds: number
  /** False: the session has reached its maximum duration. */
  canStay: boolean
  /** Where it cannot be extended, the remaining time is used to save. */
  onStay: () => void
}

export default function SessionEndDialog({ seconds, canStay, onStay }: SessionEndDialogProps) {
  const signOut = useSignOut()
  return (
    <Dialog onClose={onStay} title={canStay ? 'You’ll be signed out soon' : 'Please sign in again'}>
      <DialogBody className="text-md text-fg-2">
        <p>
          {canStay ? 'There has been no activity for a while. ' : 'You have been signed in for ten hours. '}
          <span role="timer">
            You will be signed out in <strong className="font-semibold text-fg tabular-nums">{seconds} s</strong>.
          </span>
        </p>
        <p className="pt-2">After signing in again you come back to this page.</p>
      </DialogBody>
      <DialogFooter>
        <Button size="lg" disabled={signOut.isPending} onClick={() => signOut.mutate(undefined)}>
          Sign out
        </Button>
        <Button size="lg" variant="filled" data-autofocus onClick={onStay}>
          {canStay ? 'Stay signed in' : 'Save first'}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
