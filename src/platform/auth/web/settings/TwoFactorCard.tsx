import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { Alert } from '../../../../ui/display/Alert.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'

type DialogProps = { onClose: () => void }
const close = ({ onClose }: DialogProps) => onClose()
const TurnOnDialog = lazyDialog(() => import('./TurnOnDialog.tsx'), close)
const TurnOffDialog = lazyDialog(() => import('./TurnOffDialog.tsx'), close)
const RenewCodesDialog = lazyDialog(() => import('./RenewCodesDialog.tsx'), close)

/** A warning shows below this number. */
const lowCodesBelow = 4

/** Two-factor authentication settings. */
export function TwoFactorCard() {
  const cache = useQueryClient()
  const options = orpc.account.twoFactor.queryOptions()
  const state = useQuery(options)
  const [open, setOpen] = useState<'on' | 'off' | 'codes' | null>(null)
  function onClose() {
    setOpen(null)
    // Turning it on or off ends the other sessions.
    for (const queryKey of [options.queryKey, orpc.account.sessions.key()]) void cache.invalidateQueries({ queryKey })
  }
  const isOn = state.data?.isOn
  return (
    <Section
      id="two-factor"
      title="Two-factor authentication"
      actions={
        isOn === undefined ? null : isOn ? (
          <>
            <Button onPointerEnter={RenewCodesDialog.prepare} onClick={() => setOpen('codes')}>
              New recovery codes
            </Button>
            <Button variant="danger" onPointerEnter={TurnOffDialog.prepare} onClick={() => setOpen('off')}>
              Turn off
            </Button>
          </>
        ) : (
          <Button onPointerEnter={TurnOnDialog.prepare} onClick={() => setOpen('on')}>
            Turn on
          </Button>
        )
      }
    >
      <Asked query={state} failed="Couldn’t load this">
        {({ isOn: asks, recoveryCodesLeft }) =>
          asks ? (
            <div className="flex flex-col gap-3 pt-3">
              <p className="flex flex-wrap items-center gap-2 text-sm text-fg-2">
                <Badge tone="success">On</Badge>
                Signing in requires a code from your authenticator app.{' '}
                {recoveryCodesLeft === 1 ? '1 recovery code is left.' : `${recoveryCodesLeft} recovery codes are left.`}
              </p>
              {recoveryCodesLeft < lowCodesBelow && (
                <Alert tone="warning" title="Create new recovery codes.">
                  Without one, only an administrator can restore your access if you lose your phone.
                </Alert>
              )}
            </div>
          ) : (
            <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
              Adds a code at sign-in, from an app on your phone such as Google Authenticator, 1Password or Microsoft Authenticator.
            </p>
          )
        }
      </Asked>
      {open === 'on' && <TurnOnDialog onClose={onClose} />}
      {open === 'off' && <TurnOffDialog onClose={onClose} />}
      {open === 'codes' && <RenewCodesDialog onClose={onClose} />}
    </Section>
  )
}
