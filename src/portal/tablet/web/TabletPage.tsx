import { ArrowLeft, TabletSmartphone } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { PortalButton, PortalSkeleton } from '../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../ui/patient/PortalFrame.tsx'
import { continueInLanguage, useLanguage, useTexts } from '../../../ui/patient/language.ts'
import { isSessionOver, signOut, uploadFile } from '../../web/calls.ts'
import { fetchForm, type FormData } from '../../web/forms/form-calls.ts'
import { type Ending, FormSaver } from '../../web/forms/form-saver.ts'
import type { SignEnding } from '../../web/consents/SignStage.tsx'
import { useIdle } from '../../web/useIdle.ts'
import { tabletIdleLimit, tabletWarnAhead } from '../rules.ts'
import { CodeStage } from './CodeStage.tsx'
import { ItemsStage } from './ItemsStage.tsx'
import { endAtOnce, fetchItems, type ItemData, type Tablet } from './tablet-calls.ts'
import { tabletTexts } from './texts.ts'

const loadFilling = () => import('../../web/forms/FillStage.tsx')
const FillStage = lazy(loadFilling)
const loadSigning = () => import('../../web/consents/SignStage.tsx')
const SignStage = lazy(loadSigning)
const IdleWarning = lazy(() => import('../../web/IdleWarning.tsx'))

const minutes = tabletIdleLimit / 60_000
const idleTimes = { limit: tabletIdleLimit, warnAhead: tabletWarnAhead, keepAwakeAfter: 30_000 }

/** How a session ended, as a key of the texts. */
type Ended = 'thanks' | 'idleEnded' | 'ended'

/**
 * /tablet: a code that staff see opens a few forms of one patient. Everything is kept in this component and dropped when the session ends, so
 * that going back and reloading show the code only.
 */
export default function TabletPage() {
  const [tablet, setTablet] = useState<Tablet | null>(null)
  const [ended, setEnded] = useState<Ended | null>(null)
  const t = useTexts(tabletTexts)
  useEffect(() => {
    // A page that the browser kept while another was shown.
    const restore = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', restore)
    return () => removeEventListener('pageshow', restore)
  }, [])

  if (tablet)
    return (
      <PairedTablet
        tablet={tablet}
        // What is still loading when the tablet is handed back must not show the patient again.
        onTablet={(next) => setTablet((shown) => (shown?.token === next.token ? next : shown))}
        onEnd={(how) => {
          setTablet(null)
          setEnded(how)
        }}
      />
    )
  return (
    <PortalFrame title={t('title')} narrow announcement={ended ? `${t(`endTitles.${ended}`)}. ${t(ended)}` : ''}>
      <CodeStage
        notice={ended && { title: t(`endTitles.${ended}`), text: t(ended) }}
        onPaired={(paired) => {
          void loadFilling().catch(() => undefined)
          void loadSigning().catch(() => undefined)
          continueInLanguage(paired.language)
          setEnded(null)
          setTablet(paired)
        }}
      />
    </PortalFrame>
  )
}

interface PairedTabletProps {
  tablet: Tablet
  onTablet: (tablet: Tablet) => void
  onEnd: (how: Ended) => void
}

type Filling = { item: ItemData; form: FormData; saver: FormSaver }

function PairedTablet({ tablet, onTablet, onEnd }: PairedTabletProps) {
  const language = useLanguage()
  const t = tabletTexts[language]
  const [filling, setFilling] = useState<Filling | null>(null)
  const [signing, setSigning] = useState<ItemData | null>(null)
  const [sectionId, setSectionId] = useState<string | null>(null)
  const [state, setState] = useState<'ready' | 'opening' | 'failed'>('ready')
  const lastCall = useRef(tablet.pairedAt)

  async function refresh() {
    const items = await fetchItems(tablet)
    lastCall.current = Date.now()
    onTablet({ ...tablet, items })
  }
  /** Nothing of the patient stays here: what could not be saved is given up. */
  async function leave(how: Ended) {
    await filling?.saver.flush()
    filling?.saver.discard()
    void signOut(tablet)
    onEnd(how)
  }
  async function start(item: ItemData) {
    if (item.kind === 'consent form') return setSigning(item)
    setState('opening')
    try {
      const form = await fetchForm(tablet, item.id)
      const saver = new FormSaver(lastCall)
      saver.setLanguage(language)
      saver.open(tablet, form)
      setSectionId(null)
      setFilling({ item, form, saver })
      setState('ready')
    } catch (error) {
      if (isSessionOver(error)) return onEnd('ended')
      setState('failed')
      await refresh().catch(() => undefined)
    }
  }
  async function endSigning(ending: SignEnding | null) {
    if (ending === 'SESSION_OVER') return onEnd('ended')
    setSigning(null)
    await refresh().catch((error: unknown) => isSessionOver(error) && onEnd('ended'))
  }
  async function showItems() {
    const isSaved = (await filling?.saver.flush()) ?? true
    if (!isSaved) return
    filling?.saver.discard()
    setFilling(null)
    await refresh().catch((error: unknown) => isSessionOver(error) && onEnd('ended'))
  }
  const closeForm = useEffectEvent((ending: Ending) => {
    filling?.saver.discard()
    if (ending === 'SESSION_OVER') return onEnd('ended')
    setFilling(null)
    void refresh().catch(() => undefined)
  })
  useEffect(() => filling?.saver.listen((ending) => closeForm(ending)), [filling])
  useEffect(() => filling?.saver.setLanguage(language), [filling, language])
  // With one thing to do there is nothing to choose.
  const startOnly = useEffectEvent(() => {
    if (tablet.items.length === 1 && tablet.items[0]!.state === 'open') void start(tablet.items[0]!)
  })
  useEffect(() => startOnly(), [])
  useEffect(() => {
    const end = () => endAtOnce(tablet)
    addEventListener('pagehide', end)
    return () => removeEventListener('pagehide', end)
  }, [tablet])
  const left = useIdle({ lastCall, extendSession: refresh, onEnd: () => void leave('idleEnded'), times: idleTimes })

  return (
    <PortalFrame
      title={filling ? filling.form.definition.title[language] : signing ? signing.title[language] : t('title')}
      wide={signing !== null}
      announcement=""
      onSignOut={filling || signing ? () => void leave('thanks') : undefined}
      actions={
        <span className="flex items-center gap-2 rounded-md bg-subtle px-2.5 py-1.5 text-md text-fg-2 max-md:hidden">
          <TabletSmartphone aria-hidden="true" className="size-4!" />
          {t('chip', { minutes })}
        </span>
      }
    >
      {signing ? (
        <>
          {tablet.items.length > 1 && (
            <PortalButton variant="quiet" icon={<ArrowLeft />} className="-mt-4 mb-1 -ml-3 px-3" onClick={() => void endSigning(null)}>
              {t('back')}
            </PortalButton>
          )}
          <Suspense fallback={<PortalSkeleton rows={4} className="pt-6" />}>
            <SignStage
              session={tablet}
              consentId={signing.id}
              language={language}
              defaultWitness={tablet.openedByName}
              idleMinutes={minutes}
              onCalled={() => {
                lastCall.current = Date.now()
              }}
              onEnd={(ending) => void endSigning(ending)}
            />
          </Suspense>
        </>
      ) : filling ? (
        <>
          {tablet.items.length > 1 && (
            <PortalButton variant="quiet" icon={<ArrowLeft />} className="-mt-4 mb-1 -ml-3 px-3" onClick={() => void showItems()}>
              {t('back')}
            </PortalButton>
          )}
          <Suspense fallback={<PortalSkeleton rows={4} className="pt-6" />}>
            <FillStage
              form={filling.form}
              language={language}
              saver={filling.saver}
              sectionId={sectionId}
              onSection={setSectionId}
              onUpload={(file) => uploadFile(tablet, file, { formId: filling.form.id })}
              trust={t('trust', { minutes })}
            />
          </Suspense>
        </>
      ) : (
        <ItemsStage
          tablet={tablet}
          hasFailed={state === 'failed'}
          isBusy={state === 'opening'}
          onStart={(item) => void start(item)}
          onDone={() => void leave('thanks')}
        />
      )}
      {left !== null && (
        <Suspense fallback={null}>
          <IdleWarning
            seconds={left}
            words={{ title: t('idleTitle'), text: t('idle'), stay: t('stay') }}
            onStay={() => void refresh().catch((error: unknown) => isSessionOver(error) && onEnd('ended'))}
            onSignOut={() => void leave('thanks')}
          />
        </Suspense>
      )}
    </PortalFrame>
  )
}
