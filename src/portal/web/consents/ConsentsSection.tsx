import { useEffect, useEffectEvent, useState } from 'react'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { Card, ErrorLine, PortalButton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { useLanguage } from '../../../ui/patient/language.ts'
import { frameTexts } from '../../../ui/patient/texts.ts'
import type { PhotoScope } from '../../../chart/consent-forms/definition-rules.ts'
import { consentTexts } from '../../../chart/consent-forms/texts.ts'
import { signingTexts } from '../../../chart/consent-forms/web/embed/texts.ts'
import { formatMediumDay, type Language } from '../../../shared/translations.ts'
import { type Credentials, fetchFile, isSessionOver } from '../calls.ts'
import type { TrackedCall } from '../quotes/useQuotes.ts'
import { useOpener } from '../useOpener.ts'
import { showView } from '../useView.ts'
import { type ConsentLineData, fetchConsents, withdraw } from './consent-calls.ts'

interface ConsentsSectionProps {
  session: Credentials
  callTracked: TrackedCall
}

/** The patient's consents with their sealed copies, to read, download and withdraw; hidden if there are none. */
export function ConsentsSection({ session, callTracked }: ConsentsSectionProps) {
  const language = useLanguage()
  const t = signingTexts[language]
  const { timeZone } = usePractice()
  const [consents, setConsents] = useState<ConsentLineData[] | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [withdrawn, setWithdrawn] = useState<ConsentLineData | null>(null)

  async function load(): Promise<ConsentLineData[] | null> {
    try {
      const found = await callTracked(() => fetchConsents(session))
      setConsents(found)
      setFailed(false)
      return found
    } catch (refused) {
      if (!isSessionOver(refused)) setFailed(true)
      return null
    }
  }
  const start = useEffectEvent(() => void load())
  useEffect(() => start(), [])

  /** Asks for a new link, because one works for a minute. */
  async function download(consent: ConsentLineData) {
    setError(null)
    const url = (await load())?.find(({ id }) => id === consent.id)?.fileUrl
    const file = url ? await fetchFile(url).catch(() => null) : null
    if (file) downloadBlob(file, `${consent.title[language]}.pdf`)
    else setError(t('downloadFailed'))
  }

  if (hasFailed && consents === null) {
    return (
      <Card aria-labelledby="your-consents">
        <h2 id="your-consents" className={sectionTitle}>
          {t('yours')}
        </h2>
        <ErrorLine className="pt-3 pb-4">{t('loadFailed')}</ErrorLine>
        <PortalButton onClick={() => void load()}>{frameTexts[language]('tryAgain')}</PortalButton>
      </Card>
    )
  }
  if (consents === null || consents.length === 0) return null
  return (
    <Card aria-labelledby="your-consents">
      <h2 id="your-consents" className={sectionTitle}>
        {t('yours')}
      </h2>
      {error && <ErrorLine className="pt-3">{error}</ErrorLine>}
      <ul className="pt-4 [&>li]:border-t [&>li]:border-line [&>li:first-child]:border-t-0 [&>li:first-child]:pt-0 [&>li:last-child]:pb-0">
        {consents.map((consent) => {
          const { id, status, withdrawnScopes, fileUrl, isPaper } = consent
          const title = consent.title[language]
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-4 py-5 md:flex-nowrap">
              <div className="min-w-0 flex-1 basis-full md:basis-0">
                <h3 className="text-portal font-semibold [overflow-wrap:anywhere]">{title}</h3>
                <p className="pt-1">
                  <Badge tone={status === 'signed' ? 'success' : status === 'sent' ? 'accent' : 'neutral'} className="h-6.5 px-2 text-md">
                    {stateOf(consent, language, timeZone)}
                  </Badge>
                </p>
                {status === 'signed' && withdrawnScopes.length > 0 && (
                  <p className="pt-1 text-title leading-relaxed text-fg-2">
                    {t('withdrawnUses', { uses: labelsOf(withdrawnScopes, language) })}
                  </p>
                )}
                {(status === 'signed' || status === 'withdrawn') && fileUrl === null && !isPaper && (
                  <p className="pt-1 text-title leading-relaxed text-fg-2">{t('copyPending')}</p>
                )}
              </div>
              <div className="flex w-full flex-none flex-wrap gap-2 empty:hidden md:w-auto max-md:[&>*]:flex-1">
                {status === 'sent' && (
                  <PortalButton aria-label={t('readName', { title })} onClick={() => showView(`consent-${id}`)}>
                    {t('read')}
                  </PortalButton>
                )}
                {fileUrl !== null && (
                  <PortalButton aria-label={t('downloadName', { title })} onClick={() => void download(consent)}>
                    {t('download')}
                  </PortalButton>
                )}
                {status === 'signed' && (
                  <PortalButton variant="quiet" aria-label={t('withdrawName', { title })} onClick={() => setWithdrawn(consent)}>
                    {t('withdraw')}
                  </PortalButton>
                )}
              </div>
            </li>
          )
        })}
      </ul>
      {withdrawn && (
        <WithdrawDialog
          session={session}
          consent={withdrawn}
          language={language}
          callTracked={callTracked}
          onClose={() => setWithdrawn(null)}
          // The list first, so that the focus does not return to a button that is about to go.
          onDone={() => void load().then(() => setWithdrawn(null))}
        />
      )}
    </Card>
  )
}

/** The state of a consent, with its day. */
function stateOf({ status, signedAt, withdrawnOn, isPaper }: ConsentLineData, language: Language, timeZone: string): string {
  const t = signingTexts[language]
  if (status === 'signed') {
    const day = signedAt === null ? '' : formatMediumDay(signedAt, language, timeZone)
    return t(isPaper ? 'states.paper' : 'states.signed', { day })
  }
  if (status === 'withdrawn') return t('states.withdrawn', { day: withdrawnOn === null ? '' : formatMediumDay(withdrawnOn, language) })
  return t(status === 'declined' ? 'states.declined' : 'states.sent')
}

/** As one line, so only the first label keeps its capital. */
const labelsOf = (scopes: readonly PhotoScope[], language: Language): string =>
  scopes
    .map((scope) => consentTexts[language](`scopes.${scope}`))
    .map((label, index) => (index === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1)))
    .join(', ')

interface WithdrawDialogProps {
  session: Credentials
  consent: ConsentLineData
  language: Language
  callTracked: TrackedCall
  onClose: () => void
  onDone: () => void
}

function WithdrawDialog({ session, consent, language, callTracked, onClose, onDone }: WithdrawDialogProps) {
  const t = signingTexts[language]
  const toOpener = useOpener()
  const open = consent.scopes.filter((scope) => !consent.withdrawnScopes.includes(scope))
  const [scopes, setScopes] = useState<readonly PhotoScope[]>(open)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  async function submit() {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await callTracked(() => withdraw(session, consent.id, scopes.length === open.length ? null : [...scopes]))
      onDone()
    } catch (refused) {
      if (isSessionOver(refused)) return
      setError(t('withdrawFailed'))
      setBusy(false)
    }
  }
  return (
    <Dialog
      onClose={onClose}
      onCloseAutoFocus={toOpener}
      title={t('withdrawTitle', { title: consent.title[language] })}
      head={{ isRoomy: true, closeLabel: frameTexts[language]('close') }}
      dismissible={!isBusy}
    >
      <DialogBody className="flex flex-col gap-4 text-portal">
        <p className="text-fg-2">{t('withdrawHint')}</p>
        {error && <ErrorLine>{error}</ErrorLine>}
        {open.length > 0 && (
          <fieldset>
            <legend className="pb-1 font-semibold">{t('withdrawSome')}</legend>
            {open.map((scope) => (
              <label key={scope} className="flex min-h-12 items-center gap-3">
                <Checkbox
                  large
                  checked={scopes.includes(scope)}
                  onCheckedChange={(isChosen) => setScopes(open.filter((one) => (one === scope ? isChosen : scopes.includes(one))))}
                />
                <span>{labelsOf([scope], language)}</span>
              </label>
            ))}
          </fieldset>
        )}
        <div className="flex flex-wrap gap-3">
          <PortalButton
            variant="danger-filled"
            busy={isBusy}
            busyLabel={t('withdrawing')}
            disabled={open.length > 0 && scopes.length === 0}
            className="max-md:w-full"
            onClick={() => void submit()}
          >
            {t('confirmWithdraw')}
          </PortalButton>
          <PortalButton disabled={isBusy} className="max-md:w-full" onClick={onClose}>
            {t('cancel')}
          </PortalButton>
        </div>
      </DialogBody>
    </Dialog>
  )
}
