import { useMemo } from 'preact/hooks';
import { type Roads as RoadsOfShoe, roadsOf } from '../../engine/games/baccarat/roads.ts';
import type { TableView } from '../../wire/view.ts';
import { Bi, biText } from '../parts/bilingual.tsx';
import { Icon } from '../parts/icons.tsx';
import { tableText } from '../texts/i18n.ts';
import { AskedMarks, BeadRoad, BigRoad, ColourRoad } from './road-marks.tsx';
import { useSheet } from './use-sheet.ts';

const SIDES = ['player', 'banker'] as const;
const ASK = { player: 'roads.askPlayer', banker: 'roads.askBanker' } as const;

/**
 * The history of the shoe: all five roads always lie on the cloth, the derived ones at half the
 * size, and under the name of each side what its next win would bring. A touch opens them large,
 * over the place of the cards, as long as none lie there.
 */
export function Roads({ view, coups }: { readonly view: TableView; readonly coups: readonly number[] }) {
  const roads = useMemo(() => roadsOf(coups), [coups.join()]);
  const { isOpen, isClosed, toggle, close } = useSheet(view);
  return (
    <section class="roads" aria-label={biText((t) => t('roads.label'))}>
      {(['big', 'bead'] as const).map((road) => (
        <button
          key={road}
          type="button"
          class={`road-board road-board-${road}`}
          disabled={isClosed}
          aria-expanded={isOpen}
          aria-label={biText((t) => `${t('roads.open')}: ${t(`roads.${road}`)}`)}
          onClick={toggle}
        >
          {road === 'big' ? (
            <>
              <BigRoad roads={roads} columns={20} label={biText((t) => t('roads.big'))} />
              <ColourRoad roads={roads} columns={40} label={biText((t) => t('roads.bigEye'))} road="bigEye" />
            </>
          ) : (
            <>
              <BeadRoad roads={roads} columns={20} label={biText((t) => t('roads.bead'))} />
              <span class="road-pair">
                {(['small', 'cockroach'] as const).map((each) => (
                  <ColourRoad
                    key={each}
                    roads={roads}
                    columns={20}
                    label={biText((t) => t(`roads.${each}`))}
                    road={each}
                  />
                ))}
              </span>
            </>
          )}
        </button>
      ))}
      {SIDES.map((side) => (
        <p
          key={side}
          class={`road-asks road-asks-${side}`}
          role="img"
          aria-label={biText((t) => t(ASK[side]))}
        >
          <span class="road-asks-words">
            <span lang="zh-Hant">{tableText('zh-Hant')(ASK[side])}</span>
            <small lang="pt">{tableText('pt')(`roads.${side}`)}?</small>
          </span>
          <AskedMarks roads={roads} side={side} />
        </p>
      ))}
      {isOpen && <RoadSheet roads={roads} close={close} />}
    </section>
  );
}

function RoadSheet({ roads, close }: { readonly roads: RoadsOfShoe; readonly close: () => void }) {
  const { count } = roads;
  return (
    <div class="road-sheet" role="dialog" aria-label={biText((t) => t('roads.label'))}>
      <div class="road-head">
        {(['banker', 'player', 'tie'] as const).map((side) => (
          <p key={side} class={`road-tally road-tally-${side}`}>
            <Bi text={(t) => t(`roads.${side}`)} /> <b>{count[side]}</b>
          </p>
        ))}
        {SIDES.map((side) => (
          <p key={side} class={`road-asked road-tally-${side}`}>
            <span>
              <Bi text={(t) => t(ASK[side])} />
            </span>
            <AskedMarks roads={roads} side={side} />
          </p>
        ))}
        <button type="button" class="button" aria-label={biText((t) => t('roads.close'))} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="road-papers">
        <Named name="bead">
          <BeadRoad roads={roads} columns={15} label="" />
        </Named>
        <Named name="big">
          <BigRoad roads={roads} columns={30} label="" />
        </Named>
        {(['bigEye', 'small', 'cockroach'] as const).map((road) => (
          <Named key={road} name={road}>
            <ColourRoad roads={roads} columns={30} label="" road={road} />
          </Named>
        ))}
      </div>
    </div>
  );
}

type RoadName = 'bead' | 'big' | 'bigEye' | 'small' | 'cockroach';

function Named({ name, children }: { readonly name: RoadName; readonly children: preact.ComponentChildren }) {
  return (
    <figure class={`road-named road-named-${name}`}>
      <figcaption>
        <Bi text={(t) => t(`roads.${name}`)} />
      </figcaption>
      {children}
    </figure>
  );
}
