import { generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import { useMemo, useState } from 'react'
import { client } from '../../../../ui/client/api.ts'
import { refreshSession } from '../../../../ui/client/session.ts'
import { ActionDialog } from '../../../../ui/forms/ActionDialog.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { Input } from '../../../../ui/controls/Input.tsx'
import { useActionForm } from '../../../../ui/forms/useActionForm.ts'
import { authenticatorCode } from '../../contract.ts'
import { PasswordStep } from './PasswordStep.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Begun = { uri: string; secret: string }

/** Steps: password, app, first code, recovery codes. */
export default function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />
  if (begun) return <AppStep begun={begun} onCodes={setCodes} onClose={onClose} />
  return (
    <PasswordStep
      title="Turn on two-factor authentication"
      label="Continue"
      busyLabel="Checking…"
      onPassword={async (password) => setBegun(await client.account.beginTwoFactor({ password }))}
      onClose={onClose}
    >
      Have your phone ready with an authenticator app installed.
    </PasswordStep>
  )
}

interface AppStepProps {
  begun: Begun
  onCodes: (codes: readonly string[]) => void
  onClose: () => void
}

function AppStep({ begun: { uri, secret }, onCodes, onClose }: AppStepProps) {
  const form = useActionForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: authenticatorCode.safeParse(code).error?.issues[0]?.message }),
    refusals: { INVALID_CODE: 'code' },
    async send({ code }) {
      const { recoveryCodes } = await client.account.confirmTwoFactor({ code: authenticatorCode.parse(code) })
      onCodes(recoveryCodes)
      await refreshSession()
    },
  })
  return (
    <ActionDialog title="Add this account to your app" form={form} action={{ label: 'Turn on', busyLabel: 'Checking…' }} onClose={onClose}>
      <p className="text-md text-fg-2">Scan this with the app. It then shows 6 digits, which change twice a minute.</p>
      <QrCode text={uri} />
      <p className="text-sm text-fg-2">
        Without a camera, type this key into the app:{' '}
        <code aria-label="Key" className="font-mono text-fg select-all">
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </code>
      </p>
      <Field label="Code from the app" error={form.problems.code}>
        <Input {...form.text('code')} autoComplete="one-time-code" inputMode="numeric" maxLength={20} />
      </Field>
      <p className="text-sm text-fg-3">Every other device that is signed in to your account will be signed out.</p>
    </ActionDialog>
  )
}

/** Dark on light in both themes, as scanners expect, with a margin of four modules. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text)
    return { size: code.size, path: toSvgPath(code) }
  }, [text])
  return (
    <svg
      role="img"
      aria-label="QR code for an authenticator app"
      viewBox={`-4 -4 ${size + 8} ${size + 8}`}
      shapeRendering="crispEdges"
      className="size-52 flex-none self-center rounded-md border border-line"
    >
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}
