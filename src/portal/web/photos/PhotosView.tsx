import { useRef, useState } from 'react'
import { formatMediumDay } from '../../../shared/translations.ts'
import { safeName } from '../../../documents/rules.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton, PortalSkeleton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { frameTexts } from '../../../ui/patient/texts.ts'
import { unbroken } from '../../../ui/unbroken.ts'
import type { PatientSession } from '../calls.ts'
import { photoDialog } from '../lazy-dialogs.ts'
import { LazyDialog } from '../LazyDialog.tsx'
import type { TrackedCall } from '../quotes/useQuotes.ts'
import { useFocusOnArrival } from '../useFocusOnArrival.ts'
import { type Pair, pairsOf, type PhotoData, type SeriesData } from './pairs.ts'
import type { Shown } from './PhotoDialog.tsx'
import { PhotoImage } from './PhotoImage.tsx'
import { ownPhotoTexts } from './texts.ts'
import { useOwnPhotos } from './useOwnPhotos.ts'

/** The photos that the practice has released to the patient: before and after side by side, then each series, newest first. */
export default function PhotosView({ session, callTracked }: { session: PatientSession; callTracked: TrackedCall }) {
  const { name: practice } = usePractice()
  const language = useLanguage()
  const t = ownPhotoTexts[language]
  const { series, load, fileOf } = useOwnPhotos(session, callTracked)
  const [opened, setOpened] = useState<string | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(title)

  const all = series === null || series === 'failed' ? [] : series
  const pairs = pairsOf(all)
  const dayOf = ({ takenOn }: SeriesData) => unbroken(formatMediumDay(takenOn, language))
  const titleOf = (one: SeriesData) => t('titleOf', { time: t(`times.${one.timePoint}`), day: dayOf(one) })
  const toPhoto = ({ id, view }: PhotoData, one: SeriesData, caption: string) => ({
    id,
    caption,
    name: t('nameOf', { view: t(`views.${view}`), time: titleOf(one) }),
    fileName: safeName(`${one.takenOn} ${t(`views.${view}`)}.jpg`),
  })
  const shownPairs = pairs.map((pair): Shown => {
    const { before, after } = pair
    return {
      key: keyOf(pair),
      title: t('pair', { view: t(`views.${after.photo.view}`) }),
      photos: [toPhoto(before.photo, before.series, titleOf(before.series)), toPhoto(after.photo, after.series, titleOf(after.series))],
    }
  })
  const shownPhotos = all.flatMap((one) =>
    one.photos.map((photo): Shown => ({
      key: photo.id,
      title: t(`views.${photo.view}`),
      photos: [toPhoto(photo, one, titleOf(one))],
    })),
  )
  const list = shownPairs.some(({ key }) => key === opened) ? shownPairs : shownPhotos
  const shown = list.find(({ key }) => key === opened)
  return (
    <>
      <h1 ref={title} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {t('title')}
      </h1>
      <p className="max-w-[60ch] pt-1.5 text-portal text-fg-2">{t('intro', { practice })}</p>
      <div className="flex flex-col gap-5 pt-6">
        {series === null && (
          <Card>
            <PortalSkeleton rows={3} />
          </Card>
        )}
        {series === 'failed' && (
          <Card className="flex flex-col items-start gap-4">
            <ErrorLine>{t('failed')}</ErrorLine>
            <PortalButton onClick={() => void load()}>{frameTexts[language]('tryAgain')}</PortalButton>
          </Card>
        )}
        {series !== null && series !== 'failed' && series.length === 0 && (
          <Card>
            <p className="text-portal text-fg-2">{t('none')}</p>
          </Card>
        )}
        {pairs.length > 0 && (
          <Card aria-labelledby="before-after">
            <h2 id="before-after" className={sectionTitle}>
              {t('compare')}
            </h2>
            <ul className="grid gap-x-6 gap-y-5 pt-4 sm:grid-cols-2">
              {pairs.map((pair) => (
                <li key={keyOf(pair)} className="min-w-0">
                  <button
                    type="button"
                    aria-label={t('openPair', { view: t(`views.${pair.after.photo.view}`) })}
                    className="grid w-full grid-cols-2 gap-0.5 overflow-hidden rounded-lg outline-offset-2"
                    onPointerEnter={() => photoDialog.prepare()}
                    onClick={() => setOpened(keyOf(pair))}
                  >
                    {[pair.before, pair.after].map(({ photo }) => (
                      <PhotoImage key={photo.id} id={photo.id} alt="" fileOf={fileOf} className="aspect-4/5 w-full" />
                    ))}
                  </button>
                  <p className="pt-2 text-portal font-semibold">{t(`views.${pair.after.photo.view}`)}</p>
                  <p className="grid grid-cols-2 gap-x-0.5 text-title text-fg-2">
                    <span>{t('before')}</span>
                    <span>{pair.after.series.timePoint === 'other' ? t('after') : t(`times.${pair.after.series.timePoint}`)}</span>
                  </p>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {all.map((one) => (
          <Card key={one.id} aria-labelledby={one.id}>
            <h2 id={one.id} className={sectionTitle}>
              {t(`times.${one.timePoint}`)}
            </h2>
            <p className="pt-0.5 text-title text-fg-2">{`${t(`parts.${one.shotList}`)}, ${dayOf(one)}`}</p>
            <ul className="grid grid-cols-2 gap-3 pt-4 sm:grid-cols-3">
              {one.photos.map((photo) => (
                <li key={photo.id} className="min-w-0">
                  <button
                    type="button"
                    aria-label={t('open', { name: t('nameOf', { view: t(`views.${photo.view}`), time: titleOf(one) }) })}
                    className="block w-full overflow-hidden rounded-lg outline-offset-2"
                    onPointerEnter={() => photoDialog.prepare()}
                    onClick={() => setOpened(photo.id)}
                  >
                    <PhotoImage id={photo.id} alt="" fileOf={fileOf} className="aspect-4/5 w-full" />
                  </button>
                  <p className="pt-1.5 text-title text-fg-2">{t(`views.${photo.view}`)}</p>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
      {shown && (
        <LazyDialog code={photoDialog} onFail={() => setOpened(null)}>
          {({ default: PhotoDialog }) => (
            <PhotoDialog shown={shown} all={list} fileOf={fileOf} onShow={setOpened} onClose={() => setOpened(null)} />
          )}
        </LazyDialog>
      )}
    </>
  )
}

const keyOf = ({ before, after }: Pair): string => `${before.photo.id} ${after.photo.id}`
