import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { Outcome } from '../../contract.ts'

interface TestedProps {
  /** Button label. */
  label: string
  ask: () => Promise<Outcome>
}

/** A button that runs a connection test, and its result. */
export function ConnectionTest({ label, ask }: TestedProps) {
  const test = useMutation({ mutationFn: ask })
  return (
    <>
      <Button className="mt-3" busy={test.isPending} busyLabel="Testing…" onClick={() => test.mutate()}>
        {label}
      </Button>
      {test.data && (
        <Alert tone={test.data.isOk ? 'success' : 'danger'} title={test.data.message} className="mt-3">
          {test.data.advice}
        </Alert>
      )}
      {test.error && (
        <Alert tone="danger" title="The test did not run." className="mt-3">
          {messageOf(test.error)}
        </Alert>
      )}
    </>
  )
}
