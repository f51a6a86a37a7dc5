// Records Weka's Id3 and J48: java -cp weka.jar WekaTrees.java VERSION TABLES OUTPUT NAME...
// VERSION is 3.6 or 3.9: each has its own configurations. Reads TABLES/NAME.arff, writes OUTPUT/NAME.VERSION.json.

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import weka.core.Instance;
import weka.core.Instances;

public class WekaTrees {
    static final Map<String, String> OLD = new LinkedHashMap<>();
    static final Map<String, String> NEW = new LinkedHashMap<>();

    static {
        OLD.put("j48_default", "-C 0.25 -M 2");
        OLD.put("j48_noraise", "-S -C 0.25 -M 2");
        OLD.put("j48_c10m5", "-C 0.1 -M 5");
        OLD.put("j48_binary", "-B -C 0.25 -M 2");
        OLD.put("j48_unpruned", "-U -M 2");
        OLD.put("j48_rep", "-R -N 3 -Q 1 -M 2");
        OLD.put("j48_rep_noraise", "-R -S -N 3 -Q 1 -M 2");
        NEW.put("j48_39_default", "-C 0.25 -M 2");
        NEW.put("j48_39_unpruned_nocollapse", "-U -O -M 2");
        NEW.put("j48_39_unpruned_nomdl_midpoint", "-U -O -J -M 2 -doNotMakeSplitPointActualValue");
    }

    public static void main(String[] arguments) throws Exception {
        boolean isOld = arguments[0].equals("3.6");
        for (int at = 3; at < arguments.length; at++) {
            BufferedReader file = new BufferedReader(new FileReader(arguments[1] + "/" + arguments[at] + ".arff"));
            Instances data = new Instances(file);
            data.setClassIndex(data.numAttributes() - 1);
            StringBuilder out = new StringBuilder("{");
            for (Map.Entry<String, String> each : (isOld ? OLD : NEW).entrySet()) {
                if (out.length() > 1) out.append(",\n");
                out.append(quoted(each.getKey())).append(": ").append(j48(data, each.getValue()));
            }
            if (isOld && suitsId3(data)) out.append(",\n\"id3\": ").append(id3(data));
            String path = arguments[2] + "/" + arguments[at] + "." + arguments[0] + ".json";
            try (PrintWriter writer = new PrintWriter(path, "UTF-8")) {
                writer.println(out.append("}"));
            }
        }
    }

    static String version() throws Exception {
        return new weka.core.Version().toString();
    }

    static String j48(Instances data, String options) throws Exception {
        Object model = Class.forName("weka.classifiers.trees.J48").getDeclaredConstructor().newInstance();
        model.getClass().getMethod("setOptions", String[].class).invoke(model, (Object) options.split(" "));
        model.getClass().getMethod("buildClassifier", Instances.class).invoke(model, new Instances(data));
        StringBuilder out = new StringBuilder("{\"version\": " + quoted(version()) + ", \"options\": " + quoted(options));
        out.append(", \"tree\": ").append(node(field(model, "m_root"), data));
        if (options.startsWith("-R")) out.append(", \"prune_rows\": ").append(pruneRows(data));
        out.append(", \"predictions\": [");
        StringBuilder shares = new StringBuilder();
        for (int row = 0; row < data.numInstances(); row++) {
            double[] share = distribution(model, data.instance(row));
            out.append(row > 0 ? "," : "").append(best(share));
            shares.append(row > 0 ? "," : "").append(list(share));
        }
        return out.append("], \"distributions\": [").append(shares).append("]}").toString();
    }

    static double[] distribution(Object model, Instance row) throws Exception {
        for (Method each : model.getClass().getMethods()) {
            if (each.getName().equals("distributionForInstance") && each.getReturnType() == double[].class) {
                return (double[]) each.invoke(model, row);
            }
        }
        throw new IllegalStateException("no distributionForInstance");
    }

    static int best(double[] share) {
        int found = 0;
        for (int k = 1; k < share.length; k++) if (share[k] > share[found]) found = k;
        return found;
    }

    static String node(Object tree, Instances data) throws Exception {
        Object model = field(tree, "m_localModel");
        double[] counts = counts(field(model, "m_distribution"));
        boolean leaf = (Boolean) field(tree, "m_isLeaf");
        StringBuilder out = new StringBuilder("{\"counts\": " + list(counts) + ", \"leaf\": " + leaf);
        if (leaf) return out.append("}").toString();
        int column = (Integer) field(model, "m_attIndex");
        out.append(", \"attribute\": ").append(quoted(data.attribute(column).name()));
        out.append(", \"numeric\": ").append(data.attribute(column).isNumeric());
        out.append(", \"infoGain\": ").append(field(model, "m_infoGain"));
        out.append(", \"gainRatio\": ").append(field(model, "m_gainRatio"));
        out.append(", \"split_point\": ").append(field(model, "m_splitPoint"));
        out.append(", \"branches\": [");
        Object[] sons = (Object[]) field(tree, "m_sons");
        for (int b = 0; b < sons.length; b++) {
            out.append(b > 0 ? ", " : "").append("{\"node\": ").append(node(sons[b], data)).append("}");
        }
        return out.append("]}").toString();
    }

    static double[] counts(Object distribution) throws Exception {
        return (double[]) field(distribution, "m_perClass");
    }

    // The rows (from 1) of the part that prunes: Weka's own stratified fold.
    static String pruneRows(Instances data) {
        Instances marked = new Instances(data);
        for (int row = 0; row < marked.numInstances(); row++) marked.instance(row).setWeight(row + 1);
        marked.stratify(3);
        marked.trainCV(3, 2, new Random(1));
        Instances judges = marked.testCV(3, 2);
        StringBuilder out = new StringBuilder("[");
        for (int row = 0; row < judges.numInstances(); row++) {
            out.append(row > 0 ? "," : "").append((int) judges.instance(row).weight());
        }
        return out.append("]").toString();
    }

    static boolean suitsId3(Instances data) {
        for (int column = 0; column < data.numAttributes(); column++) {
            if (!data.attribute(column).isNominal()) return false;
            for (int row = 0; row < data.numInstances(); row++) if (data.instance(row).isMissing(column)) return false;
        }
        return true;
    }

    static String id3(Instances data) throws Exception {
        Object model = Class.forName("weka.classifiers.trees.Id3").getDeclaredConstructor().newInstance();
        model.getClass().getMethod("buildClassifier", Instances.class).invoke(model, new Instances(data));
        return "{\"version\": " + quoted(version()) + ", \"options\": \"\", \"tree\": " + id3Node(model, data) + "}";
    }

    static String id3Node(Object model, Instances data) throws Exception {
        Object column = field(model, "m_Attribute");
        if (column == null) {
            double[] share = (double[]) field(model, "m_Distribution");
            double label = (Double) field(model, "m_ClassValue");
            String text = Double.isNaN(label) ? "null" : quoted(data.classAttribute().value((int) label));
            return "{\"leaf\": true, \"class\": " + text + "}";
        }
        StringBuilder out = new StringBuilder("{\"leaf\": false, \"numeric\": false, \"attribute\": ");
        out.append(quoted(((weka.core.Attribute) column).name())).append(", \"branches\": [");
        Object[] below = (Object[]) field(model, "m_Successors");
        for (int b = 0; b < below.length; b++) {
            out.append(b > 0 ? ", " : "").append("{\"node\": ").append(id3Node(below[b], data)).append("}");
        }
        return out.append("]}").toString();
    }

    static Object field(Object of, String name) throws Exception {
        for (Class<?> at = of.getClass(); at != null; at = at.getSuperclass()) {
            for (Field each : at.getDeclaredFields()) {
                if (each.getName().equals(name)) {
                    each.setAccessible(true);
                    return each.get(of);
                }
            }
        }
        throw new NoSuchFieldException(of.getClass() + " has no " + name);
    }

    static String list(double[] values) {
        StringBuilder out = new StringBuilder("[");
        for (int k = 0; k < values.length; k++) {
            boolean whole = values[k] == Math.rint(values[k]) && Math.abs(values[k]) < 1e9;
            out.append(k > 0 ? "," : "").append(whole ? String.valueOf((long) values[k]) : String.valueOf(values[k]));
        }
        return out.append("]").toString();
    }

    static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
