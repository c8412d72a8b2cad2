import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import { useTexts } from '../../../ui/patient/language.ts'
import { Card, PortalButton, PortalField } from '../../../ui/patient/parts.tsx'
import { Refusal } from '../../web/calls.ts'
import { codeDigits } from '../../web/labels.ts'
import { useFocusOnArrival } from '../../web/useFocusOnArrival.ts'
import { pairingCodeLength } from '../rules.ts'
import { pairTablet, type Tablet } from './tablet-calls.ts'
import { tabletTexts } from './texts.ts'

interface CodeStageProps {
  /** Why the last session ended. */
  notice: { title: string; text: string } | null
  onPaired: (tablet: Tablet) => void
}

/** The code in the address, from the button "On this device"; it is removed at once. */
function takeCodeFromUrl(): string {
  const code = codeDigits(location.hash, pairingCodeLength)
  if (code !== '') history.replaceState(null, '', location.pathname)
  return code
}

/** Enter the code that staff see. */
export function CodeStage({ notice, onPaired }: CodeStageProps) {
  const t = useTexts(tabletTexts)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useFocusOnArrival(field)

  async function pair(given: string) {
    setBusy(true)
    setError(null)
    try {
      onPaired(await pairTablet(given))
    } catch (refused) {
      const reason = refused instanceof Refusal ? refused.code : null
      const messages: Record<string, string> = {
        INVALID_CODE: t('badCode'),
        INVALID_INPUT: t('badCode'),
        TOO_MANY_REQUESTS: t('tooMany'),
        SIGNED_IN: t('staffSignedIn'),
      }
      setError((reason !== null && messages[reason]) || t('unexpected'))
      setBusy(false)
      field.current?.select()
    }
  }
  const pairFromUrl = useEffectEvent(() => {
    const given = takeCodeFromUrl()
    if (given.length === pairingCodeLength) void pair(given)
  })
  useEffect(() => pairFromUrl(), [])

  return (
    <>
      <h1 className="text-3xl font-semibold md:text-4xl">{notice ? notice.title : t('codeTitle')}</h1>
      <p role={notice ? 'status' : undefined} className={cn('max-w-[60ch] pt-1.5 text-portal', !notice && 'text-fg-2')}>
        {notice ? notice.text : t('codeIntro')}
      </p>
      <Card className="mt-6">
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (code.length === pairingCodeLength && !isBusy) void pair(code)
          }}
        >
          <PortalField
            ref={field}
            label={t('code')}
            name="code"
            inputMode="numeric"
            autoComplete="off"
            value={code}
            onChange={({ target }) => setCode(codeDigits(target.value, pairingCodeLength))}
            error={error}
            className="h-15 text-3xl tracking-[0.22em] tabular-nums"
          />
          <PortalButton
            type="submit"
            variant="filled"
            block
            disabled={code.length < pairingCodeLength}
            busy={isBusy}
            busyLabel={t('opening')}
          >
            {t('open')}
          </PortalButton>
          <p className="text-title leading-relaxed text-fg-2">{t('codeHint')}</p>
        </form>
      </Card>
    </>
  )
}
