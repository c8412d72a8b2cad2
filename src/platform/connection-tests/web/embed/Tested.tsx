import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { Outcome } from '../../contract.ts'

interface TestedProps {
  /** What the button says. */
  label: string
  ask: () => Promise<Outcome>
}

/** A button that asks a system, and what came of it. */
export function Tested({ label, ask }: TestedProps) {
  const test = useMutation({ mutationFn: ask })
  return (
    <>
      <Button className="mt-3" busy={test.isPending} busyLabel="Testing..." onClick={() => test.mutate()}>
        {label}
      </Button>
      {test.data && (
        <Alert tone={test.data.isOk ? 'success' : 'danger'} title={test.data.said} className="mt-3">
          {test.data.advice}
        </Alert>
      )}
      {test.error && (
        <Alert tone="danger" title="The test was not made." className="mt-3">
          {messageOf(test.error)}
        </Alert>
      )}
    </>
  )
}
