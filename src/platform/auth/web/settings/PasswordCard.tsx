import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Section } from '../../../../ui/display/Section.tsx'

const PasswordDialog = lazyDialog(
  () => import('./PasswordDialog.tsx'),
  ({ onClose }) => onClose(),
)

export function PasswordCard() {
  const [isChanging, setChanging] = useState(false)
  return (
    <Section
      id="password"
      title="Password"
      actions={
        <Button onPointerEnter={PasswordDialog.prepare} onClick={() => setChanging(true)}>
          Change password
        </Button>
      }
    >
      <p className="max-w-[60ch] pt-3 text-sm text-fg-2">A new password signs you out everywhere, including here.</p>
      {isChanging && <PasswordDialog onClose={() => setChanging(false)} />}
    </Section>
  )
}
