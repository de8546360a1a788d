#!/usr/bin/env python3
"""Learn the weights of the main-content reading (crates/extract/src/rules/content/weights.bin).

    pip install lightgbm numpy rapidfuzz scikit-learn
    cargo build --profile fast -p extract --example read
    tools/train/content.py --data DIR... [--read target/fast/examples/read] [--out weights.bin] [--rounds 80,80]

Each DIR holds some of the folders article_aeb, wcxb, snippets_traf and fields_swde, each a truth.jsonl and pages/*.html.gz: the
article extraction benchmark (MIT) and articles in its form, the web content extraction benchmark (CC-BY-4.0), trafilatura's
snippets (Apache-2.0) and pages of one thing each from SWDE, of which kinds alone are learned. Folds are by host over all folders
together.

1. The program describes each block of text of each page by a row of numbers.
2. A block is content as far as its words can be aligned with the page's labelled text; of pages with snippets
   only the blocks that hold one are used.
3. Kinds of page by two logistic regressions: one for pages whose address is known, one for pages without. Each also learns
   from its pages without their markup (AUGMENTED); then the first forest on the blocks as they stand, and the second on what the
   first one thought of their company. What the later stages learn from is always said by models that did not see the
   page's host (five folds by host), and so are the figures printed at the end.
4. The models learned from all pages are written out.
"""
import argparse, collections, gzip, hashlib, itertools, json, os, re, struct, subprocess, tempfile
from urllib.parse import urlparse
import numpy as np, lightgbm as lgb
from rapidfuzz.distance import LCSseq
from sklearn.linear_model import LogisticRegression

SETS = ['article_aeb', 'wcxb', 'snippets_traf', 'fields_swde']
# The kind of the pages of each vertical of SWDE. A page of one film, athlete, restaurant or university is none of a list, long as
# the lists on it are; job postings are of none of the kinds that are learned.
VERTICALS = dict(auto='product', camera='product', book='product', movie='service', nbaplayer='service',
                 restaurant='service', university='service')
KINDS = ['article', 'product', 'listing', 'collection', 'forum', 'documentation', 'service']
FOLDS = 5
MOST_BLOCKS = 600  # of one page that are learned from: a huge page has many alike
WORD = re.compile(r'\w+')
words = lambda text: WORD.findall((text or '').lower())
plain = lambda text: re.sub(r'\s+', ' ', text or '').strip()


# ---------------------------------------------------------------- pages and labels
def host(url, id):
    name = urlparse(url).netloc.lower().split(':')[0].split('.')
    if len(name) < 2: return id
    return '.'.join(name[-2:]) if len(name[-2]) > 3 or len(name) < 3 else '.'.join(name[-3:])


def load(folders):
    pages = []
    for folder, set_ in itertools.product(folders, SETS):
        truth = os.path.join(folder, set_, 'truth.jsonl')
        if not os.path.exists(truth): continue
        for line in open(truth, encoding='utf8'):
            row = json.loads(line)
            if set_ == 'wcxb' and not row.get('main_content'): continue
            if set_ == 'fields_swde' and row['vertical'] not in VERTICALS: continue
            url = row.get('url') or ''
            kind = VERTICALS[row['vertical']] if set_ == 'fields_swde' else row.get('page_type', 'article')
            pages.append(dict(id=f'{folder}/{set_}/{row["id"]}', set=set_, truth=row, url=url, kind=kind,
                              group=f'{os.path.basename(folder.rstrip("/"))}/{set_}',
                              html=gzip.open(os.path.join(folder, set_, row['file'])).read().decode('utf8', 'replace')))
    for page in pages:
        page['host'] = host(page['url'], page['id'])
        page['fold'] = int(hashlib.md5(page['host'].encode()).hexdigest(), 16) % FOLDS
    return pages


def describe(program, pages, **given):
    """Runs the program over all pages; `given` maps a field of its input to a field of the page."""
    with tempfile.TemporaryFile() as feed, tempfile.TemporaryFile() as out:
        for page in pages:
            row = dict(id=page['id'], url=page['url'], html=page['html'])
            row.update({key: [round(float(x), 5) for x in page[name]] for key, name in given.items()})
            feed.write(json.dumps(row, ensure_ascii=False).encode('utf8', 'surrogatepass') + b'\n')
        feed.seek(0)
        subprocess.run([program, '--to', 'blocks'], stdin=feed, stdout=out, check=True)
        out.seek(0)
        width = None
        for page, line in zip(pages, out):
            row = json.loads(line)
            assert row['id'] == page['id']
            width = len(row['names']) or width
            yield page, row, np.array(row['rows'], dtype=np.float32).reshape(len(row['texts']), width or 0)


def label(page):
    texts, truth = page['texts'], page['truth']
    page['length'] = np.array([max(1, len(words(t))) for t in texts], dtype=float)
    if page['set'] == 'snippets_traf':
        y = np.full(len(texts), np.nan)
        flat = [plain(t) for t in texts]
        for snippet, value in [(s, 1) for s in truth['with']] + [(s, 0) for s in truth['without']]:
            hit = [i for i, t in enumerate(flat) if plain(snippet) in t]
            if len(hit) == 1 or value == 0:
                for i in hit: y[i] = value
        page['y'] = y
        return
    own = [words(t) for t in texts]
    want = truth['articleBody'] if page['set'] == 'article_aeb' else truth['main_content']
    target = words(want)
    numbers = {}
    number = lambda tokens: [numbers.setdefault(t, len(numbers)) for t in tokens]
    tokens = number([w for block in own for w in block])
    owner = [i for i, block in enumerate(own) for _ in block]
    hit = np.zeros(len(texts))
    if tokens and target:
        for op in LCSseq.opcodes(tokens, number(target)):
            if op.tag == 'equal':
                for k in range(op.src_start, op.src_end): hit[owner[k]] += 1
    aligned = hit / page['length']
    pieces = set(zip(target, target[1:], target[2:]))
    lines = {' '.join(words(line)) for line in want.split('\n')}
    found = np.zeros(len(texts))
    for i, block in enumerate(own):
        if len(block) >= 4: found[i] = np.mean([p in pieces for p in zip(block, block[1:], block[2:])])
        else: found[i] = ' '.join(block) in lines
    page['y'] = np.where(page['length'] >= 4, .5 * aligned + .5 * found, aligned * (.6 + .4 * found))


def weigh(page):
    weights = weigh_blocks(page)
    if len(weights) > MOST_BLOCKS:
        keep = np.random.default_rng(1).permutation(len(weights)) < MOST_BLOCKS
        weights = weights * keep * (weights.sum() / max(1e-9, (weights * keep).sum()))
    return weights


def weigh_blocks(page):
    if page['set'] == 'snippets_traf':
        known = (~np.isnan(page['y'])).astype(float)
        return known / max(1, known.sum()) * .6
    by_length = page['length'] ** .75
    return by_length / max(1, by_length.sum()) * (1.3 if page['set'] == 'article_aeb' else 1.)


# ---------------------------------------------------------------- the measures of the three sets
def bag(text, truth):
    p, t = collections.Counter(text), collections.Counter(truth)
    if not t or not p: return float(not t and not p)
    both = sum((p & t).values())
    return 2 * both / (sum(p.values()) + sum(t.values()))


def shingles(tokens):
    return collections.Counter(tuple(tokens[i:i + 4]) for i in range(max(1, len(tokens) - 3)) if tokens[i:i + 4])


def report(pages, name, threshold):
    """Prints the measures of each set when blocks are kept from this chance on, without the program's last rules."""
    for group in sorted({page['group'] for page in pages}):
        by, precision, recall, snippets = collections.defaultdict(list), [], [], [0, 0, 0]
        for page in pages:
            if page['group'] != group: continue
            text = '\n'.join(t for t, p in zip(page['texts'], page[name]) if p >= threshold)
            truth = page['truth']
            if page['set'] == 'wcxb':
                page['score'] = bag(words(text), words(truth['main_content']))
                by[page['kind']].append(page['score']); by[''].append(page['score'])
            elif page['set'] == 'article_aeb':
                p, t = shingles(WORD.findall(text)), shingles(WORD.findall(truth['articleBody']))
                both = sum((p & t).values())
                if p: precision.append(both / sum(p.values()))
                recall.append(both / max(1, sum(t.values())))
            else:
                text = plain(text)
                for s in truth['with']: snippets[0 if plain(s) in text else 2] += 1
                for s in truth['without']: snippets[1] += plain(s) in text
        line = f'{group}, {name} at {threshold}:'
        if precision:
            p, r = np.mean(precision), np.mean(recall)
            line += f' {2 * p * r / (p + r):.4f} (P {p:.4f} R {r:.4f})'
        if sum(snippets): line += f' {2 * snippets[0] / (2 * snippets[0] + snippets[1] + snippets[2]):.4f}'
        if by:
            kinds = {kind: np.mean(scores) for kind, scores in sorted(by.items()) if kind}
            line += f' {np.mean(by[""]):.4f}, mean of kinds {np.mean(list(kinds.values())):.4f} '
            line += ' '.join(f'{kind} {score:.4f}' for kind, score in kinds.items())
        print(line, flush=True)


# ---------------------------------------------------------------- learning
BASE = dict(objective='cross_entropy', learning_rate=.08, num_leaves=16, min_sum_hessian_in_leaf=.05,
            min_data_in_leaf=20, feature_fraction=.4, bagging_fraction=.7, bagging_freq=1, lambda_l2=1., max_bin=63,
            verbose=-1, num_threads=1, seed=2, deterministic=True, force_row_wise=True)


def fit(X, Y, W, rounds):
    rows = (Y == Y) & (W > 0)
    return lgb.train(BASE, lgb.Dataset(X[rows], Y[rows], weight=W[rows] * 200), rounds)


def learn(pages, X, Y, W, fold, rounds, name):
    """Out-of-fold chances into page[name], and the model learned from everything."""
    chances = np.zeros(len(Y))
    for f in range(FOLDS):
        held = fold == f
        chances[held] = fit(X[~held], Y[~held], W[~held], rounds).predict(X[held])
    at = 0
    for page in pages:
        page[name] = chances[at:at + len(page['texts'])]
        at += len(page['texts'])
    return fit(X, Y, W, rounds)


# Weight of a page as it is against the same page without the evidence of its markup. With .6 pages with an address lose nothing
# as they are on hosts left out (0.831 right after 0.829); other shares were not tried.
AUGMENTED = {True: (.6, .4), False: (.5, .5)}


def learn_kinds(pages):
    """Out-of-fold kinds into page['kinds'], and the models for pages with and without an address."""
    E = np.array([p['evidence'] for p in pages])
    of_address, of_markup = pages[0]['of_address'], pages[0]['of_markup']
    known = np.array([p['set'] != 'snippets_traf' for p in pages])
    y = np.array([KINDS.index(p['kind']) for p in pages])
    w = np.array([1. if p['set'] == 'wcxb' else .25 for p in pages])
    fold = np.array([p['fold'] for p in pages])
    judged = np.array([p['set'] == 'wcxb' for p in pages])
    single = np.array([p['set'] == 'fields_swde' for p in pages])
    models = []
    for has_address, (whole, stripped) in AUGMENTED.items():
        seen = E.copy()
        if not has_address: seen[:, :of_address] = 0
        bare = seen.copy()
        bare[:, of_address:of_address + of_markup] = 0
        model = lambda rows: LogisticRegression(C=.3, max_iter=3000).fit(
            np.concatenate([seen[rows], bare[rows]]), np.tile(y[rows], 2), np.concatenate([w[rows] * whole, w[rows] * stripped]))
        chances, unmarked = np.zeros((len(y), len(KINDS))), np.zeros((len(y), len(KINDS)))
        for f in range(FOLDS):
            guess = model(known & (fold != f))
            chances[fold == f], unmarked[fold == f] = guess.predict_proba(seen[fold == f]), guess.predict_proba(bare[fold == f])
        if has_address:
            for page, row in zip(pages, chances): page['kinds'] = row
        right = lambda of, where: np.mean((of.argmax(1) == y)[where])
        print(f'kinds, {"with" if has_address else "without"} address: {right(chances, judged):.3f} of the wcxb pages right, '
              f'{right(unmarked, judged):.3f} without markup; {right(chances, single):.3f} of those of one thing', flush=True)
        models.append(model(known))
    return models


# ---------------------------------------------------------------- writing
def write_forest(out, model, columns):
    trees = model.dump_model()['tree_info']
    out += struct.pack('<HH', columns, len(trees))
    for tree in trees:
        splits, leaves, todo = [], [], [tree['tree_structure']]
        def place(node):
            if 'split_index' not in node:
                leaves.append(node['leaf_value'])
                return 128 + len(leaves) - 1
            splits.append([node['split_feature'], node['threshold'], None, None])
            own = len(splits) - 1
            splits[own][2] = place(node['left_child'])
            splits[own][3] = place(node['right_child'])
            return own
        place(todo[0])
        out += struct.pack('<B', len(splits))
        for column, threshold, yes, no in splits:
            out += struct.pack('<HfBB', column, threshold, yes, no)
        for value in leaves: out += struct.pack('<f', value)
    return out


def forests_of(path):
    """The bytes of the forests of a file of weights."""
    whole = open(path, 'rb').read()
    kinds, evidence = struct.unpack('<HH', whole[:4])
    return whole[4 + 4 * len(AUGMENTED) * kinds * (evidence + 1):]


def write(path, kinds, evidence, forests):
    """Writes a file of weights: the models of the kinds, then the forests."""
    out = struct.pack('<HH', len(KINDS), evidence)
    for model in kinds:
        for weights, more in zip(model.coef_, model.intercept_): out += struct.pack(f'<{len(weights) + 1}f', *weights, more)
    open(path, 'wb').write(out + forests)
    print(f'{path}: {len(out) + len(forests)} bytes')


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument('--data', required=True, nargs='+')
    ask.add_argument('--read', default='target/fast/examples/read')
    ask.add_argument('--out', default='crates/extract/src/rules/content/weights.bin')
    ask.add_argument('--rounds', default='80,80')
    ask.add_argument('--forests', metavar='FILE', help='learn the kinds alone, and take the forests of this earlier file')
    ask.add_argument('--save', help='keep the out-of-fold chances here (pickle), to look at errors')
    args = ask.parse_args()
    first_rounds, second_rounds = map(int, args.rounds.split(','))
    pages = load(args.data)
    for page, row, _ in describe(args.read, pages):
        for key in ('evidence', 'of_address', 'of_markup', 'texts'): page[key] = row[key]
    kinds = learn_kinds(pages)
    pages = [page for page in pages if page['set'] != 'fields_swde']
    for page in pages: label(page)
    if args.forests:
        write(args.out, kinds, len(pages[0]['evidence']), forests_of(args.forests))
        return
    X1 = np.concatenate([X for _, _, X in describe(args.read, pages, kinds='kinds') if len(X)])
    Y = np.concatenate([p['y'] for p in pages])
    W = np.concatenate([weigh(p) for p in pages])
    fold = np.concatenate([np.full(len(p['y']), p['fold']) for p in pages])
    first = learn(pages, X1, Y, W, fold, first_rounds, 'first')
    report(pages, 'first', .45)
    X2 = np.concatenate([X for _, _, X in describe(args.read, pages, kinds='kinds', chances='first') if len(X)])
    both = np.concatenate([X2, X1], axis=1)
    second = learn(pages, both, Y, W, fold, second_rounds, 'second')
    for threshold in (.4, .45, .5): report(pages, 'second', threshold)
    if args.save:
        import pickle
        for page in pages: page.pop('html')
        pickle.dump((pages, X1, X2, Y, W, fold), open(args.save, 'wb'))
    write(args.out, kinds, len(pages[0]['evidence']), write_forest(write_forest(b'', first, X1.shape[1]), second, both.shape[1]))


if __name__ == '__main__':
    main()
